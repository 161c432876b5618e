import type { OfferStatus } from '../../contract/specialOffers.ts';
import type { Instant } from '../../kernel/dates.ts';
import { insertMany } from '../../store/queries/insertMany.ts';
import { countRows, type Range } from '../../store/queries/paging.ts';
import { nextIds } from '../../store/leases/sequences.ts';
import type { ConversationRow, SpecialOfferRow } from '../conversations/rows.ts';
import type { CoreDb, CoreTransaction } from '../database.ts';

/** Returns one page of the offers of a conversation, newest first, and their number. */
export async function offerPage(
  db: CoreDb,
  { account_id, conversation_id }: ConversationRow,
  range: Range,
): Promise<{ rows: SpecialOfferRow[]; total: number }> {
  const made = db
    .selectFrom('special_offers')
    .where('account_id', '=', account_id)
    .where('conversation_id', '=', conversation_id);
  const total = range.total ?? (await countRows(made));
  const left = range.before === undefined ? made : made.where('id', '<', range.before);
  const rows = await left.selectAll().orderBy('id', 'desc').limit(range.limit).offset(range.offset).execute();
  return { rows, total };
}

export async function addOffer(trx: CoreTransaction, draft: Omit<SpecialOfferRow, 'id'>): Promise<void> {
  const id = await nextIds(trx, 'special_offers');
  await insertMany(trx, 'special_offers', [{ ...draft, id }]);
}

/** Returns an offer by its id, whoever owns it, locked until the transaction ends. */
export function lockOffer(trx: CoreTransaction, specialOfferId: string): Promise<SpecialOfferRow | undefined> {
  return trx
    .selectFrom('special_offers')
    .where('special_offer_id', '=', specialOfferId)
    .selectAll()
    .forUpdate()
    .executeTakeFirst();
}

export async function endOffer(
  trx: CoreTransaction,
  { account_id, conversation_id, id }: SpecialOfferRow,
  status: OfferStatus,
  at: Instant,
): Promise<void> {
  await trx
    .updateTable('special_offers')
    .set({ status, ended_at: at })
    .where('account_id', '=', account_id)
    .where('conversation_id', '=', conversation_id)
    .where('id', '=', id)
    .execute();
}
