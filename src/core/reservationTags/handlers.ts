import type { Input } from '../../contract/index.ts';
import { instantOf } from '../../kernel/dates.ts';
import { ApiError } from '../../kernel/errors.ts';
import { mayGo } from '../../kernel/transitions.ts';
import type { Range } from '../../store/queries/paging.ts';
import { lockAccount } from '../accounts/lock.ts';
import type { Change, Context, Handler } from '../context.ts';
import { closePage, pageOf } from '../cursor.ts';
import type { ReservationTagRow } from '../database.ts';
import { maySee, notAuthorized, refuseForeign } from '../ownership.ts';
import { announceStay } from '../reservations/change.ts';
import { requireStay } from '../reservations/require.ts';
import { assignColor } from '../tagColors.ts';
import { tagLife, tagState } from '../tagStates.ts';
import {
  defaultTagById,
  defaultTagNamed,
  defaultTagsMatching,
  pageOfSecond,
  type ReservationTag,
  requireRoomForTag,
} from './rules.ts';
import {
  addOwnTag,
  attachTag,
  deleteTag,
  detachFromAll,
  detachTag,
  ownTagById,
  ownTagColors,
  ownTagNamed,
  ownTagPage,
  restoreTag,
  taggedStays,
} from './table.ts';

export const listReservationTags: Handler<'listReservationTags'> = async (input, context) => {
  const page = pageOf('listReservationTags', 'number', input, context);
  const found = await tagPage(context, input, page.range);
  const { rows, next } = closePage(page, found, (tag) => tag.id);
  return { reservation_tags: rows, total: found.total, ...next };
};

/** Returns a page of the operator's own tags, followed by the default ones, whose numbers are the lowest. */
async function tagPage(
  { db, account }: Context,
  asked: Input<'listReservationTags'>,
  range: Range,
): Promise<{ rows: ReservationTag[]; total: number }> {
  const own = await ownTagPage(db, { ...asked, ...range, accountId: account.account_id });
  const defaults = defaultTagsMatching(asked);
  const { before } = range;
  const left = before === undefined ? defaults : defaults.filter((tag) => tag.id < before);
  const { from, to } =
    before === undefined ? pageOfSecond(own.total, range) : { from: 0, to: range.limit - own.rows.length };
  const total = range.total ?? own.total + defaults.length;
  return { rows: [...own.rows.map(present), ...left.slice(from, to)], total };
}

export const createReservationTag: Handler<'createReservationTag'> = (input, context) =>
  context.change(async (change) => {
    await lockAccount(change.trx, change.account.account_id);
    const known = await ownTagNamed(change.trx, change.account.account_id, input.tag_name);
    if (defaultTagNamed(input.tag_name) || !mayGo(tagLife, tagState(known), 'create')) {
      throw new ApiError(409, 'A tag with this name exists.', { field: 'tag_name' });
    }
    const reservation_tag = await makeTag(change, input.tag_name, known);
    return { reservation_tag, ...reservation_tag };
  });

export const deleteReservationTag: Handler<'deleteReservationTag'> = async (input, context) => {
  await context.change(async (change) => {
    const { trx, account, now } = change;
    await lockAccount(trx, account.account_id);
    if (defaultTagById(input.id)) throw new ApiError(404, 'A default tag cannot be deleted.', { field: 'id' });
    const tag = await ownTagById(trx, input.id);
    refuseForeign(tag, account, 'id');
    if (!tag || !mayGo(tagLife, tagState(tag), 'delete')) throw new ApiError(404, 'id not found.', { field: 'id' });
    const stays = await taggedStays(trx, tag.account_id, tag.id);
    if (!stays.every((stay) => maySee(context, stay.property_id))) throw notAuthorized();
    await detachFromAll(trx, tag.account_id, tag.id);
    await deleteTag(trx, tag, instantOf(now));
    for (const stay of stays) announceStay(change, stay);
    change.audit('deleteReservationTag', String(tag.id));
  });
};

export const addReservationTag: Handler<'addReservationTag'> = async (input, context) => {
  await context.change(async (change) => {
    const { stay } = await requireStay(change, context, input.stay_code);
    const tag = await tagToAttach(change, input.tag_name);
    if (!(await attachTag(change.trx, stay, tag.id))) return;
    announceStay(change, stay);
    change.audit('addReservationTag', `${stay.stay_code} ${tag.id}`);
  });
};

export const removeReservationTag: Handler<'removeReservationTag'> = async (input, context) => {
  await context.change(async (change) => {
    const { trx, account } = change;
    const { stay } = await requireStay(change, context, input.stay_code);
    const tag = defaultTagNamed(input.tag_name) ?? (await ownTagNamed(trx, account.account_id, input.tag_name));
    if (!tag || !(await detachTag(trx, stay, tag.id))) {
      throw new ApiError(404, 'The stay has no tag of this name.', { field: 'tag_name' });
    }
    announceStay(change, stay);
    change.audit('removeReservationTag', `${stay.stay_code} ${tag.id}`);
  });
};

/** Returns the tag of this name, and creates or restores it where necessary. */
async function tagToAttach(change: Change, name: string): Promise<{ id: number }> {
  const common = defaultTagNamed(name);
  if (common) return common;
  const { account_id: accountId } = change.account;
  await lockAccount(change.trx, accountId);
  const known = await ownTagNamed(change.trx, accountId, name);
  return known && tagState(known) === 'live' ? known : makeTag(change, name, known);
}

/** Creates a tag, or restores the deleted one of its name. @throws ApiError 422 when there are too many */
async function makeTag(
  change: Change,
  tag_name: string,
  known: ReservationTagRow | undefined,
): Promise<ReservationTag> {
  const { trx, account, now } = change;
  const others = await ownTagColors(trx, account.account_id);
  requireRoomForTag(others.length);
  const color = known?.color ?? assignColor(others);
  if (known) await restoreTag(trx, known, tag_name);
  const id = known?.id ?? (await addOwnTag(trx, { account_id: account.account_id, tag_name, color }, instantOf(now)));
  change.audit('createReservationTag', String(id));
  return { id, tag_name, color, is_default: false };
}

function present({ id, tag_name, color }: ReservationTagRow): ReservationTag {
  return { id, tag_name, color, is_default: false };
}
