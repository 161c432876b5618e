import { z } from 'zod';
import type { AuditEntry } from '../../../core/audit/entry.ts';
import { routesOn } from './outgoingRoute.ts';

const onNotices = routesOn((services, connection) => services.mirror.notices(connection));
const connection = z.string().optional();
const place = z.string().trim().min(1).max(100);
const choices = {
  language: z.enum(['en', 'de']).optional(),
  hears: z.array(z.enum(['alarms', 'today'])).optional(),
  quiet: z.string().max(20).nullable().optional(),
  wakes: z.boolean().optional(),
  briefing_at: z.string().max(5).nullable().optional(),
  persons: z.boolean().optional(),
};

/** Where people are told: mailboxes, chats and phones. */
export const noticeRoutes = [
  onNotices('GET', '/portal/notices', 'read', z.object({ connection }), async (service) => ({
    places: await service.list(),
  })),
  onNotices(
    'POST',
    '/portal/notices',
    'write',
    z.object({
      connection,
      name: z.string(),
      kind: z.string(),
      settings: z.record(z.string(), z.unknown()),
      ...choices,
    }),
    (service, { connection: _, ...draft }) => service.add(draft),
    (_input, answer) => settings('add notice place', answer),
  ),
  onNotices(
    'PATCH',
    '/portal/notices/:place',
    'write',
    z.object({
      connection,
      place,
      name: z.string().optional(),
      settings: z.record(z.string(), z.unknown()).optional(),
      state: z.enum(['active', 'paused']).optional(),
      ...choices,
    }),
    (service, { connection: _, place: named, ...change }) => service.change(named, change),
    (_input, answer) => settings('change notice place', answer),
  ),
  onNotices(
    'DELETE',
    '/portal/notices/:place',
    'write',
    z.object({ connection, place }),
    (service, input) => service.remove(input.place),
    (_input, answer) => {
      const { place_id: id, name } = removed.parse(answer);
      return { action: 'remove notice place', subject: `notice_place:${id}`, values: { before: { name } } };
    },
  ),
  onNotices('POST', '/portal/notices/:place/test', 'write', z.object({ connection, place }), (service, input) =>
    service.test(input.place),
  ),
  onNotices(
    'GET',
    '/portal/notices/log',
    'read',
    z.object({ connection, place: place.optional(), limit: z.coerce.number().int().min(1).max(1_000).default(20) }),
    async (service, input) => ({ notices: await service.log(input) }),
  ),
];

const removed = z.object({ place_id: z.string(), name: z.string() });
const shown = z.object({
  place_id: z.string(),
  name: z.string(),
  kind: z.string(),
  shown: z.string(),
  hears: z.array(z.string()),
  state: z.string(),
});

/** Records a place without its secrets. */
function settings(action: string, answer: unknown): AuditEntry {
  const { place_id: id, ...after } = shown.parse(answer);
  return { action, subject: `notice_place:${id}`, values: { after } };
}
