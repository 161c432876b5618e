import { z } from 'zod';
import { ApiError } from '../../kernel/errors.ts';
import type { FormFile } from '../formFile.ts';
import { consoleAction, consolePage } from '../page.ts';
import { importView, mappingView } from './view.ts';

const file = z.custom<FormFile>((value) => Object(value) === value && 'bytes' in Object(value), 'choose a file');

/** Import: reservations from a file of another system, with a preview of what each column is taken for. */
export const importPage = consolePage({
  path: 'import',
  right: 'setup',
  needsCore: true,
  title: (texts) => texts.import.title,
  question: z.object({}),
  actions: [
    consoleAction({
      name: 'file',
      right: 'setup',
      hasFiles: true,
      isQuiet: true,
      fields: z.object({ file }),
      async run(visit, { file: given }) {
        const proposal = await visit.services.setup.propose(visit.person, given);
        return { said: visit.texts.import.read(given.name), shows: mappingView(visit, proposal) };
      },
    }),
    consoleAction({
      name: 'run',
      right: 'setup',
      fields: z.object({ upload: z.string().max(120), mapping: z.string() }),
      async run(visit, given) {
        try {
          await visit.services.setup.startImport(visit.person, given);
        } catch (error) {
          if (!(error instanceof ApiError)) throw error;
          // The file is still there, and so is what was typed.
          return { said: '', shows: mappingView(visit, { ...given, remarks: [], problem: error.message }) };
        }
        return { said: visit.texts.import.begun, to: visit.address('setup') };
      },
    }),
  ],
  downloads: {
    async refused(visit) {
      const { name, bytes } = await visit.services.setup.refusedRows(visit.person);
      return { type: 'text/csv; charset=utf-8', name, body: bytes };
    },
  },
  render: async (visit) => importView(visit, await visit.services.setup.job(visit.person)),
});
