import { instantOf, type PlainDate } from '../../kernel/dates.ts';
import { chosenConnection, todayOf } from '../accounts/account.ts';
import { policyOf } from '../journal/policy.ts';
import type { ExportPorts } from '../ports.ts';
import { type OnProgress, requireRead } from '../jobs/runJob.ts';
import { basisOf } from './basis.ts';
import { keptBasis, storeHead, storeLot } from './bookTable.ts';

export interface KeptReport {
  readonly connection: string;
  readonly through: PlainDate;
  readonly entries: number;
  /** Bookings, and ledger entries without one, whose entries are others than before. */
  readonly changed: number;
  /** How much the books themselves found that a person should look at. */
  readonly exceptions: number;
}

/**
 * Books everything anew and keeps it as rows for reports; what is the same is not written again.
 * @throws OperatorError while the mirror has not read everything once
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

/** Whether anything has changed since the books were last kept. */
export async function areBehind(ports: ExportPorts, connection: string): Promise<boolean> {
  const { db } = ports.store;
  const today = await todayOf(ports, connection);
  const policyHash = policyOf(ports.bookOf(connection)).hash;
  const { basis } = await basisOf(db, { connection, policyHash, today });
  return basis !== (await keptBasis(db, connection));
}
