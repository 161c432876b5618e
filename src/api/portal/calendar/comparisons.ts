import { z } from 'zod';
import { id } from '../../../contract/fields.ts';
import { routesOn } from '../outgoing/outgoingRoute.ts';

const onComparisons = routesOn((services, connection) => services.mirror.comparisons(connection));
const connection = z.string().optional();
const comparison = z.string().min(1).max(64);

/** Calendars at marketplaces, compared with properties that are mirrored from another deployment. */
export const comparisonRoutes = [
  onComparisons('GET', '/portal/comparisons', 'read', z.object({ connection }), async (service) => ({
    comparisons: await service.list(),
  })),
  onComparisons(
    'POST',
    '/portal/comparisons',
    'write',
    z.object({
      connection,
      property_id: id('Whose calendar it is.'),
      name: z.string().trim().min(1).max(60),
      url: z.string().trim().min(1).max(2_048),
      source: z.string().max(20).optional(),
    }),
    (service, { connection: _, ...draft }) => service.add(draft),
    (_input, answer) => {
      const { comparison_id, ...after } = added.parse(answer);
      return { action: 'add comparison', subject: `comparison:${comparison_id}`, values: { after } };
    },
  ),
  onComparisons('GET', '/portal/comparisons/findings', 'read', z.object({ connection }), async (service) => ({
    findings: await service.findings(),
  })),
  onComparisons(
    'DELETE',
    '/portal/comparisons/:comparison',
    'write',
    z.object({ connection, comparison }),
    (service, input) => service.remove(input.comparison),
    (_input, answer) => {
      const { comparison_id, name } = removed.parse(answer);
      return { action: 'remove comparison', subject: `comparison:${comparison_id}`, values: { before: { name } } };
    },
  ),
  onComparisons(
    'POST',
    '/portal/comparisons/:comparison/read',
    'write',
    z.object({ connection, comparison }),
    (service, input) => service.read(input.comparison),
  ),
  onComparisons(
    'POST',
    '/portal/comparisons/findings/:finding/settle',
    'write',
    z.object({ connection, finding: z.string().min(1).max(64) }),
    (service, input) => service.settle(input.finding),
    (input) => ({ action: 'settle finding', subject: `finding:${input.finding}`, values: {} }),
  ),
];

const added = z.object({ comparison_id: z.string(), property_id: z.number(), name: z.string(), host: z.string() });
const removed = z.object({ comparison_id: z.string(), name: z.string() });
