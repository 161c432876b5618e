import { MOST_TAGS } from '../../contract/propertyTags.ts';
import { invalid } from '../../kernel/errors.ts';
import type { ReservationTagRow } from '../database.ts';
import { nameKey } from '../names.ts';

/** A tag as lists show it, an operator's own or a default one. */
export type ReservationTag = Pick<ReservationTagRow, 'id' | 'tag_name' | 'color'> & { is_default: boolean };

/** Tags that every operator has. Stays store their numbers and names: rows may be added here, but none changed. */
export const defaultTags: readonly ReservationTag[] = [
  { id: 1, tag_name: 'VIP', color: '#F3D432', is_default: true },
  { id: 2, tag_name: 'Returning guest', color: '#1BBFA4', is_default: true },
  { id: 3, tag_name: 'Early check-in', color: '#2CBCFD', is_default: true },
  { id: 4, tag_name: 'Late check-out', color: '#7175FA', is_default: true },
  { id: 5, tag_name: 'Special request', color: '#FFA410', is_default: true },
];
/** Highest number of a default tag. Operators' own tags have higher numbers. */
export const LAST_DEFAULT_ID = 99;

export function defaultTagById(id: number): ReservationTag | undefined {
  return defaultTags.find((tag) => tag.id === id);
}

export function defaultTagNamed(name: string): ReservationTag | undefined {
  return defaultTags.find((tag) => nameKey(tag.tag_name) === nameKey(name));
}

/** Returns the default tags that match a list's filters, newest first. */
export function defaultTagsMatching(filters: {
  id?: number | undefined;
  keyword?: string | undefined;
}): ReservationTag[] {
  const { id, keyword = '' } = filters;
  return defaultTags
    .filter((tag) => (id === undefined || tag.id === id) && nameKey(tag.tag_name).includes(nameKey(keyword)))
    .toReversed();
}

/** Returns the part of a page that falls into the second of two lists, where one follows the other. */
export function pageOfSecond(
  firstTotal: number,
  { offset, limit }: { offset: number; limit: number },
): { from: number; to: number } {
  return { from: Math.max(0, offset - firstTotal), to: Math.max(0, offset + limit - firstTotal) };
}

/** @throws ApiError 422 when an operator with so many tags of its own may have no more */
export function requireRoomForTag(count: number): void {
  if (count >= MOST_TAGS) throw invalid('tag_name', `cannot be used; there are ${MOST_TAGS} tags, the most`);
}
