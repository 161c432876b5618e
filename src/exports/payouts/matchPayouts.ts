import { dateIn, instantOf } from '../../kernel/dates.ts';
import { ACCOUNT_NAME } from '../../kernel/books.ts';
import { UsageError } from '../../kernel/errors.ts';
import { chosenConnection, zoneOf } from '../accounts/account.ts';
import type { MatchOrder, MatchProposal } from './matchFile.ts';
import { storePayouts } from './payoutTable.ts';
import type { ExportPorts } from '../ports.ts';
import type { OnProgress } from '../jobs/runJob.ts';

type Counted = readonly (Omit<MatchProposal['matches'][number], 'postings'> & { readonly postings: number })[];

/** The result of {@link matchPayouts}. */
interface MatchReport extends Omit<MatchProposal, 'matches' | 'proposed'> {
  readonly connection: string;
  readonly matches: Counted;
  readonly proposed: Counted;
  /** False for a dry run. */
  readonly stored: boolean;
}

const FIRST_DAY = '1970-01-01';

/**
 * Matches the lines of a file with the contents of clearing accounts, and books each match as a payout to the bank.
 * Earlier matches stay.
 */
export async function matchPayouts(
  ports: ExportPorts,
  { connection: name, dryRun, ...order }: MatchOrder & { connection?: string | undefined; dryRun: boolean },
  { onProgress, signal }: { onProgress: OnProgress; signal: AbortSignal },
): Promise<MatchReport> {
  if (order.bank !== null && !ACCOUNT_NAME.test(order.bank)) {
    throw new UsageError(`bank: ${JSON.stringify(order.bank)} is no account`, 'write it as Assets:Bank');
  }
  const { db } = ports.store;
  const connection = await chosenConnection(db, name);
  const now = ports.clock.now();
  const result = await ports.carryOut(
    {
      kind: 'match',
      location: ports.location,
      connection,
      settings: ports.bookOf(connection),
      now,
      from: FIRST_DAY,
      to: dateIn(await zoneOf(db, connection), now),
      match: order,
    },
    { onProgress, onReport: async () => {}, onEntries: async () => {} },
    signal,
  );
  if (result.kind !== 'matched') throw new Error('the payouts were not matched');
  const { matches, proposed, ...rest } = result.proposal;
  if (!dryRun) await storePayouts(ports.store, { connection, bank: rest.bank, at: instantOf(now) }, matches);
  return {
    connection,
    ...rest,
    matches: counted(matches),
    proposed: counted(proposed),
    stored: !dryRun,
  };
}

function counted(matches: MatchProposal['matches']): Counted {
  return matches.map((match) => ({ ...match, postings: match.postings.length }));
}
