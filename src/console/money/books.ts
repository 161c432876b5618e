import { z } from 'zod';
import { ApiError } from '../../kernel/errors.ts';
import { type MirrorDb, readFeedHead } from '../../sync/read/mirror.ts';
import type { Visit } from '../visit.ts';
import { payoutState } from './query.ts';

const listed = z.object({
  /** Changes with the settings of the books. */
  settings: z.string(),
  /** The stored books; null before they were made. */
  kept: z.object({ through: z.string(), booked_at: z.string() }).nullable(),
  jobs: z.array(
    z.object({
      job: z.string(),
      format: z.string(),
      what: z.string(),
      mode: z.string(),
      schedule: z.string().nullable(),
    }),
  ),
  periods: z.array(z.object({ period: z.string(), state: z.string(), entries: z.number(), at: z.string() })),
  runs: z.array(
    z.object({
      run_id: z.string(),
      job: z.string(),
      from: z.string(),
      to: z.string(),
      state: z.string(),
      entries: z.number(),
      started_at: z.string(),
      problem: z.string().nullable(),
    }),
  ),
});

const used = z.object({
  direction: z.string(),
  id: z.number(),
  name: z.string(),
  entries: z.number(),
  proposed: z.string(),
});

const mapped = z.object({
  items: z.array(used),
  methods: z.array(used),
  deposits: z.array(z.object({ channel: z.string(), stays: z.number() })),
  accounts: z.array(z.object({ account: z.string(), jobs: z.array(z.string()) })),
  proposal: z.string(),
});

const previewed = z.object({
  state: z.enum(['open', 'soft', 'locked']),
  reasons: z.array(z.string()),
  remarks: z.array(z.string()),
  books: z
    .object({
      from: z.string(),
      to: z.string(),
      entries: z.number(),
      states: z.object({ posted: z.number(), ignored: z.number(), unmapped: z.number(), pending: z.number() }),
      control: z.array(z.object({ currency: z.string(), debit: z.string() })),
    })
    .nullable(),
});

const rows = z.object({ rows: z.array(z.record(z.string(), z.unknown())) });

/** The books as the Money page shows them. */
export interface Books {
  listed: z.output<typeof listed>;
  mapped: z.output<typeof mapped>;
  /** What closing the chosen month would do; left out: none is chosen. */
  preview: z.output<typeof previewed> | undefined;
  payouts: PayoutRow[];
  statements: { owner: string; month: string }[];
}

/** What a channel owes by its clearing account, in minor units. */
export interface PayoutRow {
  account: string;
  currency: string;
  expected: number;
  matched: number;
  unexplained: number;
  oldest: string | null;
}

const payout = z.object({
  account: z.string(),
  currency: z.string(),
  expected_minor: z.number(),
  matched_minor: z.number(),
  unexplained_minor: z.number(),
  oldest_unexplained: z.string().nullable(),
});
const statement = z.object({ owner: z.string(), month: z.string() });

const STATEMENTS = 24;

/** Reads the books: jobs, months, what is not mapped, payouts and statements; and the preview of a month. */
export async function readBooks(visit: Visit, month: string | undefined): Promise<Books> {
  const preview =
    month === undefined ? undefined : await visit.portal('POST /portal/exports/preview', { period: month });
  const listing = listed.parse(await visit.portal('GET /portal/exports'));
  const { db } = visit.services;
  const { connection } = visit;
  const [matched] = await payoutState(db, { connection });
  const state = JSON.stringify(listing);
  return {
    listed: listing,
    preview: preview === undefined ? undefined : previewed.parse(preview),
    mapped: await readMap(visit, `${await readFeedHead(db, connection)} ${state}`),
    ...(await readOfBooks(visit, `${JSON.stringify(matched)} ${state}`)),
  };
}

/** What goes through all entries of the books: asked for again only after they were made again, or payouts matched. */
const readOfBooks = keptWhile(async (visit: Visit): Promise<Pick<Books, 'payouts' | 'statements'>> => {
  const payouts = (await readReport(visit, { name: 'payout-reconciliation', by: 'all' })).flatMap((row) => {
    const { success, data } = payout.safeParse(row);
    if (!success) return [];
    const { expected_minor: expected, matched_minor: matched, unexplained_minor: unexplained, ...rest } = data;
    return [{ ...rest, expected, matched, unexplained, oldest: data.oldest_unexplained }];
  });
  const owners = (await readReport(visit, { name: 'owner-statement' })).flatMap(
    (row) => statement.safeParse(row).data ?? [],
  );
  const statements = [...new Map(owners.map((one) => [`${one.month} ${one.owner}`, one])).values()].toReversed();
  return {
    payouts,
    statements: statements.slice(0, STATEMENTS).map(({ owner, month: of }) => ({ owner, month: of })),
  };
});

/** What of the ledger has no place in the books: asked for again after any change in the mirror or of the settings. */
const readMap = keptWhile(async (visit: Visit) => mapped.parse(await visit.portal('GET /portal/exports/map')));

/** Makes a question that is asked again only when a state has changed; by database and connection. */
function keptWhile<Found>(ask: (visit: Visit) => Promise<Found>): (visit: Visit, state: string) => Promise<Found> {
  const kept = new WeakMap<MirrorDb, Map<string, { state: string; found: Promise<Found> }>>();
  return (visit, state) => {
    const { services, connection } = visit;
    const all = kept.get(services.db) ?? new Map<string, { state: string; found: Promise<Found> }>();
    kept.set(services.db, all);
    const before = all.get(connection);
    if (before?.state === state) return before.found;
    const found = ask(visit);
    all.set(connection, { state, found });
    // What could not be read is asked for again.
    found.catch(() => all.delete(connection));
    return found;
  };
}

/** Reads the rows of a report on the books; none before the books were first made. */
async function readReport(visit: Visit, asked: { name: string; by?: string }): Promise<Record<string, unknown>[]> {
  try {
    return rows.parse(await visit.portal('GET /mirror/reports/:name', asked)).rows;
  } catch (error) {
    if (error instanceof ApiError && error.code === 422) return [];
    throw error;
  }
}

const files = z.object({
  files: z.array(z.object({ name: z.string(), bytes: z.number() })),
  file: z.object({ name: z.string(), base64: z.string() }).nullable(),
});

/** Lists the files of a run. */
export async function readFiles(visit: Visit, run: string): Promise<{ name: string; bytes: number }[]> {
  return files.parse(await visit.portal('GET /portal/exports/runs/:run/files', { run })).files;
}

/** Reads one file of a run. @throws ApiError for a file that there is not */
export async function readFile(visit: Visit, run: string, name: string): Promise<Buffer> {
  const { file } = files.parse(await visit.portal('GET /portal/exports/runs/:run/files', { run, name }));
  if (!file) throw new ApiError(404, 'There is no such file.');
  return Buffer.from(file.base64, 'base64');
}
