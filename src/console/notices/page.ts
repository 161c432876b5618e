import { z } from 'zod';
import { ApiError } from '../../kernel/errors.ts';
import { consoleAction, consolePage } from '../page.ts';
import { formKinds, settingsOf } from './form.ts';
import { readNotices } from './query.ts';
import { readServer } from './server.ts';
import { noticesView } from './view.ts';

const kind = z.enum(formKinds);
const place = z.string();
const tick = z.literal('on').optional();
const tested = z.object({ sent: z.boolean(), problem: z.string().nullable() });

/** Notices: who is told of alarms, of the day ahead, and of what rules notice. */
export const noticesPage = consolePage({
  path: 'notices',
  right: 'setup',
  title: (texts) => texts.notices.title,
  question: z.object({ kind: kind.optional(), server: z.literal('edit').optional() }),
  actions: [
    consoleAction({
      name: 'add',
      right: 'setup',
      isQuiet: true,
      fields: z.looseObject({
        kind,
        name: z.string(),
        quiet: z.string().trim().optional(),
        at: z.string().trim().optional(),
        alarms: tick,
        today: tick,
        wakes: tick,
        persons: tick,
      }),
      async run(visit, fields) {
        const { quiet = '', at = '' } = fields;
        await visit.portal('POST /portal/notices', {
          name: fields.name,
          kind: fields.kind,
          settings: settingsOf(fields.kind, fields),
          language: visit.locale.startsWith('de') ? 'de' : 'en',
          hears: [...(fields.alarms ? ['alarms'] : []), ...(fields.today ? ['today'] : [])],
          ...(quiet !== '' && { quiet }),
          ...(fields.today && at !== '' && { briefing_at: at }),
          wakes: fields.wakes === 'on',
          persons: fields.persons === 'on',
        });
        return { said: visit.texts.notices.added(fields.name), to: visit.address('notices') };
      },
    }),
    consoleAction({
      name: 'test',
      right: 'setup',
      isQuiet: true,
      fields: z.object({ place }),
      async run(visit, fields) {
        const words = visit.texts.notices;
        const { sent, problem } = tested.parse(await visit.portal('POST /portal/notices/:place/test', fields));
        if (!sent) throw new ApiError(409, words.testFailed(fields.place, problem ?? words.busy));
        return { said: words.tested(fields.place) };
      },
    }),
    consoleAction({
      name: 'pause',
      right: 'setup',
      isQuiet: true,
      fields: z.object({ place }),
      async run(visit, fields) {
        await visit.portal('PATCH /portal/notices/:place', { ...fields, state: 'paused' });
        return { said: visit.texts.notices.pausedNow(fields.place) };
      },
    }),
    consoleAction({
      name: 'resume',
      right: 'setup',
      isQuiet: true,
      fields: z.object({ place }),
      async run(visit, fields) {
        await visit.portal('PATCH /portal/notices/:place', { ...fields, state: 'active' });
        return { said: visit.texts.notices.resumedNow(fields.place) };
      },
    }),
    consoleAction({
      name: 'remove',
      right: 'setup',
      isQuiet: true,
      fields: z.object({ place }),
      async run(visit, fields) {
        await visit.portal('DELETE /portal/notices/:place', fields);
        return { said: visit.texts.notices.removed(fields.place) };
      },
    }),
    consoleAction({
      name: 'server',
      right: 'setup',
      isQuiet: true,
      fields: z.looseObject({}),
      async run(visit, fields) {
        const draft = readServer(fields);
        await visit.services.setup.setMailServer(visit.person, draft);
        return { said: visit.texts.notices.server.saved(draft.host), to: visit.address('notices') };
      },
    }),
  ],
  render: async (visit, { kind: chosen, server }) =>
    noticesView(visit, { ...(await readNotices(visit)), kind: chosen, asksServer: server === 'edit' }),
});
