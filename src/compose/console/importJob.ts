import { mkdirSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';
import type { Config } from '../../config.ts';
import type { Core } from '../../core/context.ts';
import { deleteUpload, keepUpload, uploadName, writeUpload } from '../../core/setup/uploads.ts';
import { importReservations, type ImportReport } from '../../imports/importReservations.ts';
import { readMapping } from '../../imports/readMapping.ts';
import { ApiError } from '../../kernel/errors.ts';
import { REFUSED_ROWS } from '../../console/setup/services.ts';
import type { AccountId } from '../../kernel/ids.ts';
import type { JobWork } from './jobs.ts';

/** Where files lie while they are read. */
export const UPLOADS = 'uploads';
const CONFLICTS_SHOWN = 20;

const task = z.object({ upload: z.string(), mapping: z.string() });

/** Returns the work of an import. What was stored is known by its rows, so that it goes on where it was stopped. */
export function importJob(core: Core, config: Config): JobWork {
  return async ({ account, operator, task: given, progress, signal }) => {
    const { upload, mapping } = task.parse(given);
    const { db } = core.store;
    const key = { accountId: account.account_id, upload };
    const folder = join(config.data_dir, UPLOADS, upload);
    const name = await uploadName(db, key);
    if (name === undefined) throw fileIsGone();
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    try {
      // Rows are recognised by the name of their file, so it keeps its own, in a folder of its own.
      const path = join(folder, name);
      if (!(await writeUpload(db, key, path))) throw fileIsGone();
      const report = await importReservations(
        core,
        { account, operator },
        {
          path,
          mapping: readMapping(mapping, 'mapping'),
          rejectsPath: join(folder, `${name}.rejects.csv`),
          announce: true,
        },
        ({ phase, bytes, size, rows }) => progress({ done: bytes, total: size, text: `${phase}: ${rows}` }),
        signal,
      );
      if (!report.complete) return null;
      const refused = report.rejects_file;
      const rows = refused === null ? [] : [await keepRows(core, key.accountId, refused)];
      return { text: name, facts: [...factsOf(report), ...rows], afterwards: () => deleteUpload(db, key) };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };
}

/** Keeps the rows that were refused, each with its reason, for a person to mend. */
async function keepRows(core: Core, accountId: AccountId, path: string): Promise<[string, string]> {
  return [REFUSED_ROWS, await keepUpload(core, accountId, { name: basename(path), bytes: await readFile(path) })];
}

export function fileIsGone(): ApiError {
  return new ApiError(404, 'file: is gone; choose it again', { field: 'file' });
}

function factsOf({
  created,
  unchanged,
  changed_rows,
  properties,
  totals,
  conflicts,
}: ImportReport): [string, string][] {
  const { held, cancelled, rejected } = totals;
  const sum = ({ bookings, nights, amount }: typeof cancelled) => {
    const amounts = Object.entries(amount).map(([currency, value]) => `${currency} ${value}`);
    return [String(bookings), String(nights), ...amounts].join(' · ');
  };
  return [
    ['stored', String(created)],
    ['unchanged', String(unchanged)],
    ...(changed_rows > 0 ? [['changed', String(changed_rows)] satisfies [string, string]] : []),
    ['properties', String(properties)],
    ['held', sum(held)],
    ['cancelled', sum(cancelled)],
    ...(rejected.rows > 0 ? [['refused', String(rejected.rows)] satisfies [string, string]] : []),
    ...conflicts
      .slice(0, CONFLICTS_SHOWN)
      .map(({ line, reason }): [string, string] => ['conflict', `${line}: ${reason}`]),
  ];
}
