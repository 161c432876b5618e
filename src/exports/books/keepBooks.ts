import { instantOf, type PlainDate } from '../../kernel/dates.ts';
import { chosenConnection, todayOf, zoneOf } from '../accounts/account.ts';
import { holdJob } from '../jobs/holdJob.ts';
import type { Ask } from '../journal/ask.ts';
import { policyOf } from '../journal/policy.ts';
import type { ExportPorts } from '../ports.ts';
import { type OnProgress, requireRead } from '../jobs/runJob.ts';
import { basisOf, basisText, headOf, keptBooks } from './basis.ts';
import { storeHead, storeLot } from './bookTable.ts';

/** The result of {@link keepBooks}. */
interface KeptReport {
  readonly connection: string;
  readonly through: PlainDate;
  readonly entries: number;
  /** Number of reservations, and of ledger entries without one, whose entries changed. */
  readonly changed: number;
  /** Number of findings for a person to look at. */
  readonly exceptions: number;
}

/** Name under which a process holds the stored books of a connection. No job has it. */
const HELD_AS = 'the books';

/**
 * Books what may have changed, or everything from scratch, and stores it as rows for exports and reports. Rewrites only
 * rows that changed.
 * @throws OperatorError until the mirror has read everything once
 */
export async function keepBooks(
  ports: ExportPorts,
  order: { connection?: string | undefined; fromScratch: boolean },
  { onProgress, signal }: { onProgress: OnProgress; signal: AbortSignal },
): Promise<KeptReport> {
  const connection = await chosenConnection(ports.store.db, order.connection);
  await requireRead(ports, connection);
  const now = ports.clock.now();
  const today = await todayOf(ports, connection);
  return holdJob(ports, { connection, job: HELD_AS }, async (held) => {
    const work = {
      location: ports.location,
      connection,
      settings: ports.bookOf(connection),
      now,
      from: today,
      to: today,
    };
    const result = await ports.carryOut(
      { kind: 'keep', fromScratch: order.fromScratch, ...work },
      {
        onProgress,
        onReport: async () => {},
        onEntries: async () => {},
        async onLot(lot) {
          await held.require();
          await storeLot(ports.store, connection, lot);
        },
      },
      signal,
    );
    if (result.kind !== 'kept') throw new Error('the books were not kept');
    const { head } = result;
    await held.require();
    await storeHead(ports.store, connection, { head, at: instantOf(now) });
    const { through, entries, changed } = head;
    return { connection, through, entries, changed, exceptions: await countExceptions(ports, connection) };
  });
}

async function countExceptions({ store }: ExportPorts, connection: string): Promise<number> {
  const row = await store.db
    .selectFrom('book_exceptions')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('connection', '=', connection)
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}

/** Returns true if an input of the books has changed since they were stored. */
export async function areBehind(ports: ExportPorts, connection: string): Promise<boolean> {
  const reader = ports.reader();
  try {
    const ask: Ask = (text, values) => reader.rows(text, values);
    const books = await keptBooks(ask, connection);
    const zone = await zoneOf(ports.store.db, connection);
    const policy = policyOf(ports.bookOf(connection));
    const basis = basisText(await basisOf(ask, connection, { policy, zone }));
    const [through, seq] = [await todayOf(ports, connection), await headOf(ask, connection)];
    return books?.basis !== basis || books.through !== through || books.seq !== seq;
  } finally {
    await reader.close();
  }
}
