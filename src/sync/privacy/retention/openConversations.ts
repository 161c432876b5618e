import type { Instant } from '../../../kernel/dates.ts';
import { inList } from '../../../store/queries/inList.ts';
import type { MirrorTrx } from '../../tables/database.ts';

/** The facts about a stay that decide if its conversation is over. */
interface StayState {
  status: string | null;
  check_out_date: string | null;
  cancelled_at: Instant | null;
}

/** Statuses of stays that do not take place. */
const CALLED_OFF: ReadonlySet<string> = new Set(['cancelled', 'denied', 'timeout']);
/** An offer that the guest can still accept. */
const STANDING = 'active';

/** Returns true if a stay was not over at a moment: the guest had not left, or the stay was called off only later. */
function isGoingOn({ status, check_out_date, cancelled_at }: StayState, at: Instant): boolean {
  if (status !== null && CALLED_OFF.has(status)) return cancelled_at !== null && cancelled_at >= at;
  // A stay without a known end cannot be taken as over.
  return check_out_date === null || check_out_date >= at.slice(0, 10);
}

/**
 * Returns the conversations among these that are not over since this moment: a stay in it continues, or has ended
 * since, or an offer is open.
 */
export async function openConversations(
  trx: MirrorTrx,
  connection: string,
  conversations: readonly string[],
  since: Instant,
): Promise<ReadonlySet<string>> {
  const open = new Set<string>();
  const about = await trx
    .selectFrom('conversations')
    .select(['conversation_id', 'reservation_codes'])
    .where('connection', '=', connection)
    .where((eb) => inList(eb.ref('conversation_id'), conversations))
    .execute();
  const codes = new Map(
    about.map((row) => [row.conversation_id, JSON.parse(row.reservation_codes ?? '[]') as string[]]),
  );
  const stays = await trx
    .selectFrom('stays')
    .select(['reservation_code', 'status', 'check_out_date', 'cancelled_at'])
    .where('connection', '=', connection)
    .where('deleted_at', 'is', null)
    .where((eb) => inList(eb.ref('reservation_code'), [...new Set([...codes.values()].flat())]))
    .execute();
  const goingOn = new Set(stays.filter((stay) => isGoingOn(stay, since)).map((stay) => stay.reservation_code));
  for (const [conversation, of] of codes) if (of.some((code) => goingOn.has(code))) open.add(conversation);
  const offers = await trx
    .selectFrom('special_offers')
    .select('conversation_id')
    .where('connection', '=', connection)
    .where('status', '=', STANDING)
    .where('deleted_at', 'is', null)
    .where((eb) => inList(eb.ref('conversation_id'), conversations))
    .execute();
  for (const { conversation_id } of offers) open.add(conversation_id);
  return open;
}
