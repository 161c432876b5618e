import { z } from 'zod';
import { consoleAction, consolePage } from '../page.ts';
import { readComparisons } from './query.ts';
import { comparisonsView } from './view.ts';

const comparison = z.string();
const outcome = z.object({ read: z.string(), problem: z.string().optional(), differences: z.number().optional() });
const answered = z.object({ name: z.string(), outcome });

/** Comparisons: calendars at marketplaces beside the properties that are mirrored from another deployment. */
export const comparisonsPage = consolePage({
  path: 'comparisons',
  right: 'setup',
  title: (texts) => texts.comparisons.title,
  question: z.object({}),
  actions: [
    consoleAction({
      name: 'add',
      right: 'setup',
      fields: z.object({ property_id: z.coerce.number(), name: z.string(), url: z.string() }),
      async run(visit, fields) {
        const added = answered.parse(await visit.portal('POST /portal/comparisons', fields));
        return { said: visit.texts.comparisons.added(added.name, added.outcome.differences ?? 0) };
      },
    }),
    consoleAction({
      name: 'read',
      right: 'setup',
      isQuiet: true,
      fields: z.object({ comparison }),
      async run(visit, fields) {
        const words = visit.texts.comparisons;
        const read = answered.parse(await visit.portal('POST /portal/comparisons/:comparison/read', fields));
        const { problem, differences = 0 } = read.outcome;
        return {
          said: problem === undefined ? words.readNow(read.name, differences) : words.notRead(read.name, problem),
        };
      },
    }),
    consoleAction({
      name: 'settle',
      right: 'setup',
      isQuiet: true,
      fields: z.object({ finding: z.string() }),
      async run(visit, fields) {
        await visit.portal('POST /portal/comparisons/findings/:finding/settle', fields);
        return { said: visit.texts.comparisons.settledNow };
      },
    }),
    consoleAction({
      name: 'remove',
      right: 'setup',
      isQuiet: true,
      fields: z.object({ comparison }),
      async run(visit, fields) {
        const { name } = z
          .object({ name: z.string() })
          .parse(await visit.portal('DELETE /portal/comparisons/:comparison', fields));
        return { said: visit.texts.comparisons.removed(name) };
      },
    }),
  ],
  render: async (visit) => comparisonsView(visit, await readComparisons(visit)),
});
