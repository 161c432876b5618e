import type { CoreTransaction } from '../core/accounts/ground.ts';
import { turn } from '../kernel/clock.ts';
import { instantOf } from '../kernel/dates.ts';
import type { AccountId } from '../kernel/ids.ts';
import { endFamily } from './grants.ts';
import { forgetFailures } from './guard.ts';
import {
  deleteClientsUnused,
  deleteCodesOver,
  deleteGrantsEmpty,
  deleteTokensEnded,
  deleteTokensOver,
  familiesRunOut,
} from './retentionTable.ts';
import type { OAuth } from './server.ts';
import { nextAccount } from './table.ts';

/** Rows deleted in one transaction. */
const BATCH = 200;
const DAY_MS = 86_400_000;

interface RetireOptions {
  /** Days for which ended rows are retained. */
  days: number;
  signal: AbortSignal;
}

/**
 * Ends and deletes old grants. Expired families end, which disconnects an application that has nothing else. Rows that
 * ended longer ago than the retention are deleted: tokens, codes, grants, and applications that registered themselves
 * and have no grant. Rows that reveal the second use of a code or refresh token remain as long as there is something to
 * end.
 */
export async function retire(oauth: OAuth, { days, signal }: RetireOptions): Promise<void> {
  const { core } = oauth;
  const { db } = core.store;
  const before = instantOf(core.clock.now() - days * DAY_MS);
  for (let account = await nextAccount(db, ''); account !== undefined && !signal.aborted;) {
    await endRunOut(oauth, account, signal);
    const accountId = account;
    for (const some of [deleteTokensOver, deleteTokensEnded, deleteCodesOver, deleteGrantsEmpty]) {
      await inBatches(oauth, signal, (trx) => some(trx, { accountId, before, limit: BATCH }));
    }
    account = await nextAccount(db, account);
  }
  await inBatches(oauth, signal, (trx) => deleteClientsUnused(trx, { before, limit: BATCH }));
  await forgetFailures(core);
}

/** Ends expired families. Their applications learn it like any other end. */
async function endRunOut(oauth: OAuth, accountId: AccountId, signal: AbortSignal): Promise<void> {
  const { core } = oauth;
  const run = { accountId, before: instantOf(core.clock.now()), limit: BATCH };
  for (let left = BATCH; left === BATCH && !signal.aborted;) {
    const families = await familiesRunOut(core.store.db, run);
    for (const family of families) await endFamily(oauth, family, 'its time was over');
    left = families.length;
    await turn();
  }
}

async function inBatches(
  { core }: OAuth,
  signal: AbortSignal,
  deleteSome: (trx: CoreTransaction) => Promise<number>,
): Promise<void> {
  for (let gone = BATCH; gone === BATCH && !signal.aborted; await turn()) {
    gone = await core.store.transaction(deleteSome);
  }
}
