import type { Expression } from 'kysely';
import type { AccountId } from '../../kernel/ids.ts';
import type { CoreDb } from '../database.ts';
import { defaultTagById } from './rules.ts';

/** Selects the tags of a stay, with the names of the operator's own ones; {@link tagNames} returns all names. */
export function tagsOfStay(db: CoreDb, accountId: AccountId, stayId: Expression<number>) {
  return db
    .selectFrom('stay_tags as part')
    .leftJoin('reservation_tags as tag', (join) =>
      join.onRef('tag.account_id', '=', 'part.account_id').onRef('tag.id', '=', 'part.tag_id'),
    )
    .where('part.account_id', '=', accountId)
    .where('part.stay_id', '=', stayId)
    .select(['part.tag_id', 'tag.tag_name']);
}

/** Returns the names of tags, oldest tag first. */
export function tagNames(tags: readonly { tag_id: number; tag_name: string | null }[]): string[] {
  return tags
    .toSorted((one, other) => one.tag_id - other.tag_id)
    .map(({ tag_id, tag_name }) => tag_name ?? defaultTagById(tag_id)?.tag_name ?? '');
}
