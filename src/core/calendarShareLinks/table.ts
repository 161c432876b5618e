import type { ExpressionBuilder } from 'kysely';
import type { AccountId } from '../../kernel/ids.ts';
import { inList } from '../../store/queries/inList.ts';
import { countRows, type Range } from '../../store/queries/paging.ts';
import type { AccountRow, CalendarShareLinkRow, CoreDatabase, CoreDb, CoreTransaction } from '../database.ts';

interface LinkQuestion extends Range {
  accountId: AccountId;
  visible: readonly number[] | null;
  id?: number | undefined;
}

/**
 * Returns one page, newest first, and the number of all matches. A sub-account sees links to its own properties only.
 */
export async function linkPage(
  db: CoreDb | CoreTransaction,
  question: LinkQuestion,
): Promise<{ rows: CalendarShareLinkRow[]; total: number }> {
  const { visible } = question;
  let matching = db.selectFrom('calendar_share_links as link').where('link.account_id', '=', question.accountId);
  if (question.id !== undefined) matching = matching.where('link.id', '=', question.id);
  if (visible !== null) matching = matching.where('link.scope', '=', 'partial').where(holdsOnly(visible));
  const total = question.total ?? (await countRows(matching));
  const left = question.before === undefined ? matching : matching.where('link.id', '<', question.before);
  const rows = await left
    .selectAll('link')
    .orderBy('link.id', 'desc')
    .limit(question.limit)
    .offset(question.offset)
    .execute();
  return { rows, total };
}

function holdsOnly(visible: readonly number[]) {
  return (where: ExpressionBuilder<CoreDatabase & { link: CalendarShareLinkRow }, 'link'>) =>
    where.not(
      where.exists(
        where
          .selectFrom('share_link_properties as part')
          .whereRef('part.account_id', '=', 'link.account_id')
          .whereRef('part.link_id', '=', 'link.id')
          .where((where) => where.not(inList(where.ref('part.property_id'), visible)))
          .select('part.property_id'),
      ),
    );
}

/** Returns a link by its number, whoever owns it. */
export function linkById(trx: CoreTransaction, id: number): Promise<CalendarShareLinkRow | undefined> {
  return trx.selectFrom('calendar_share_links').where('id', '=', id).selectAll().executeTakeFirst();
}

/** Returns the link to all properties, of which there is one at most. */
export function entireLink(trx: CoreTransaction, accountId: AccountId): Promise<CalendarShareLinkRow | undefined> {
  return trx
    .selectFrom('calendar_share_links')
    .where('account_id', '=', accountId)
    .where('scope', '=', 'entire')
    .selectAll()
    .executeTakeFirst();
}

/** Returns the link that a visitor's token opens. */
export function linkByHash(db: CoreDb, hash: string): Promise<CalendarShareLinkRow | undefined> {
  return db.selectFrom('calendar_share_links').where('token_hash', '=', hash).selectAll().executeTakeFirst();
}

export async function addLink(trx: CoreTransaction, row: CalendarShareLinkRow): Promise<void> {
  await trx.insertInto('calendar_share_links').values(row).execute();
}

export async function removeLink(trx: CoreTransaction, row: CalendarShareLinkRow): Promise<void> {
  await trx
    .deleteFrom('calendar_share_links')
    .where('account_id', '=', row.account_id)
    .where('id', '=', row.id)
    .execute();
}

export function linkAccount(db: CoreDb, accountId: AccountId): Promise<AccountRow> {
  return db.selectFrom('accounts').where('account_id', '=', accountId).selectAll().executeTakeFirstOrThrow();
}

interface SharedProperty {
  id: number;
  name: string;
  time_zone: string;
}

/** Returns a page of the properties that a link shows, by name, and their number. */
export async function sharedProperties(
  db: CoreDb,
  link: CalendarShareLinkRow,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ rows: SharedProperty[]; total: number }> {
  let matching = db.selectFrom('properties').where('account_id', '=', link.account_id).where('status', '=', 'active');
  if (link.scope === 'partial') {
    matching = matching.where('id', 'in', (select) =>
      select
        .selectFrom('share_link_properties')
        .where('account_id', '=', link.account_id)
        .where('link_id', '=', link.id)
        .select('property_id'),
    );
  }
  const { total } = await matching.select((of) => of.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await matching
    .select(['id', 'name', 'time_zone'])
    .orderBy('name')
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute();
  return { rows, total };
}

/** Returns the sealed tokens of all links of every account. */
export function allTokens(trx: CoreTransaction): Promise<Pick<CalendarShareLinkRow, 'id' | 'token'>[]> {
  return trx.selectFrom('calendar_share_links').select(['id', 'token']).orderBy('id').execute();
}

export async function saveToken(
  trx: CoreTransaction,
  { id, token }: Pick<CalendarShareLinkRow, 'id' | 'token'>,
): Promise<void> {
  await trx.updateTable('calendar_share_links').set({ token }).where('id', '=', id).execute();
}
