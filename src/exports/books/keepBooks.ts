import { instantOf, type PlainDate } from '../../kernel/dates.ts';
import { chosenConnection, todayOf } from '../accounts/account.ts';
import { policyOf } from '../journal/policy.ts';
import type { ExportPorts } from '../ports.ts';
import { type OnProgress, requireRead } from '../jobs/runJob.ts';
import { basisOf } from './basis.ts';
import { keptBasis, storeHead, storeLot } from './bookTable.ts';

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

/**
 * Books everything from scratch and stores it as rows for reports. Rewrites only rows that changed.
 * @throws OperatorError until the mirror has read everything once
 */
export async function keepBooks(
  ports: ExportPorts,
  name: string | undefined,
  { onProgress, signal }: { onProgress: OnProgress; signal: AbortSignal },
): Promise<KeptReport> {
  const { db } = ports.store;
  const connection = await chosenConnection(db, name);
  await requireRead(ports, connection);
  const now = ports.clock.now();
  const today = await todayOf(ports, connection);
  const policyHash = policyOf(ports.bookOf(connection)).hash;
  const basis = await basisOf(db, { connection, policyHash, today });
  const result = await ports.carryOut(
    {
      kind: 'keep',
      location: ports.location,
      connection,
      settings: ports.bookOf(connection),
      now,
      from: today,
      to: today,
    },
    {
      onProgress,
      onReport: async () => {},
      onEntries: async () => {},
      onLot: (lot) => storeLot(ports.store, connection, lot),
    },
    signal,
  );
  if (result.kind !== 'kept') throw new Error('the books were not kept');
  const { head } = result;
  await storeHead(ports.store, connection, { ...head, ...basis, at: instantOf(now) });
  const row = await db
    .selectFrom('book_exceptions')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('connection', '=', connection)
    .executeTakeFirst();
  const { through, entries, changed } = head;
  return { connection, through, entries, changed, exceptions: Number(row?.count ?? 0) };
}

/** Returns true if an input of the books has changed since they were stored. */
export async function areBehind(ports: ExportPorts, connection: string): Promise<boolean> {
  const { db } = ports.store;
  const today = await todayOf(ports, connection);
  const policyHash = policyOf(ports.bookOf(connection)).hash;
  const { basis } = await basisOf(db, { connection, policyHash, today });
  return basis !== (await keptBasis(db, connection));
}
