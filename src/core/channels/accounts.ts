import { addYears, dateIn, instantOf } from '../../kernel/dates.ts';
import { CALENDAR_YEARS_AHEAD } from '../../contract/listings.ts';
import { ApiError } from '../../kernel/errors.ts';
import { next, type TriggerOf } from '../../kernel/transitions.ts';
import { nextIds } from '../../store/leases/sequences.ts';
import type { Change } from '../context.ts';
import { requireMove } from '../requireMove.ts';
import { channelAccountLife } from './rules.ts';
import { readRulesAgain } from './snapshot.ts';
import { addChannelAccount, changeChannelAccount, listingsOfChannelAccount, lockChannelAccount } from './table.ts';
import { queueTasks } from './tasks/queue.ts';

interface ChannelAccountDraft {
  channel_type: string;
  username: string;
  /** The account's id on its channel. */
  origin_account_id: string;
}

/** Adds a channel account whose connection was requested. @returns its id */
export async function connectChannelAccount(change: Change, draft: ChannelAccountDraft): Promise<number> {
  const id = await nextIds(change.trx, 'channel_accounts');
  const { account_id } = change.account;
  const auth_status = next(channelAccountLife, null, 'connect');
  await addChannelAccount(change.trx, { account_id, id, ...draft, auth_status, created_at: instantOf(change.now) });
  change.audit('connectChannelAccount', String(id));
  return id;
}

/**
 * Moves a channel account by a trigger of its table of transitions. An account that becomes active again receives the
 * inventory of all its listings, since nothing was pushed meanwhile, and is asked for its own changes.
 * @throws ApiError 404 for an unknown account, 400 when the trigger is impossible now
 */
export async function changeAuthStatus(
  change: Change,
  id: number,
  trigger: TriggerOf<typeof channelAccountLife>,
): Promise<void> {
  const { trx, account } = change;
  const row = await lockChannelAccount(trx, account.account_id, id);
  if (!row) throw new ApiError(404, 'channel account not found.');
  const auth_status = requireMove(channelAccountLife, row.auth_status, trigger);
  await changeChannelAccount(trx, row, { auth_status });
  change.audit('changeAuthStatus', `${id} ${auth_status}`);
  if (auth_status !== 'active') return;
  const today = dateIn(account.time_zone, change.now);
  const ranges = [{ start_date: today, end_date: addYears(today, CALENDAR_YEARS_AHEAD) }];
  const all = await listingsOfChannelAccount(trx, account.account_id, id);
  const listings = all.filter((listing) => listing.shelf_status !== 'deleted');
  await queueTasks(
    change,
    listings.map((listing) => ({ subject: 'listing', subject_id: listing.id, work: { kind: 'availability', ranges } })),
  );
  await readRulesAgain(change, listings);
}
