import { runChange } from '../change.ts';
import type { Change, Core, Principal } from '../context.ts';
import type { AccountRow, CoreDb, CoreTransaction } from '../database.ts';
import { deleteUploads } from '../setup/uploads.ts';
import { dropRegistered, type Registered, registeredBy } from '../guestPages/registration/forget.ts';
import {
  channelIdsOf,
  deleteGuestImages,
  deleteGuideImages,
  deletePosts,
  forgetEntries,
  forgetGuests,
  forgetImports,
  forgetStays,
  forgetTasks,
  forgetConversations,
  guestById,
  guestsByEmail,
  guestsOf,
  postsOn,
  reviewsOf,
  saveReviewTexts,
  staysOf,
  staysOfReservation,
  conversationsOf,
} from './table.ts';

/** The person to erase, named in one of three ways. */
export type Whom =
  | { by: 'guest_id'; guest_id: number }
  | { by: 'email'; email: string }
  | { by: 'reservation_code'; reservation_code: string };

/** The extent of an erasure, planned or done. */
interface CoreErasure {
  bookings: string[];
  stays: number;
  persons: number;
  conversations: number;
  /** Rows that remain without the person's values, by kind; empty before the erasure. */
  rows: Record<string, number>;
}

type Stay = Awaited<ReturnType<typeof staysOf>>[number];

/** Everything that is stored about a person. */
interface Scope {
  guests: Awaited<ReturnType<typeof guestsOf>>;
  /** Stays of reservations that the person made. Texts about them are erased as well. */
  written: Stay[];
  /** Stays of which every guest is erased. */
  complete: Stay[];
  conversations: Awaited<ReturnType<typeof conversationsOf>>;
  /** What these persons have registered on pages of guests. */
  registered: readonly Registered[];
  /** The address by which the person was named. */
  email: string | undefined;
}

/** Returns the extent of an erasure. It changes nothing. */
export async function planErasure(core: Core, { account_id }: AccountRow, whom: Whom): Promise<CoreErasure> {
  return reportOf(await findScope({ core, db: core.store.db }, account_id, whom), {});
}

/**
 * Erases a person from the account: names, papers and pictures, and all texts about reservations that the person made.
 * Reservations, nights, amounts and scores remain.
 * @returns the extent, and the texts of which no trace may remain
 */
export function eraseGuest(
  core: Core,
  who: { account: AccountRow; operator: Principal['operator'] | null },
  whom: Whom,
): Promise<{ report: CoreErasure; strings: string[] }> {
  const { account_id } = who.account;
  return runChange(core, who, async (change) => {
    const scope = await findScope({ core, db: change.trx }, account_id, whom);
    const rows = await forget(change, scope);
    for (const stay of stays(scope)) change.emit({ event: 'reservation_updated', ...stay });
    for (const code of reservationsOf(scope)) change.audit('erase guest', `reservation:${code}`);
    return { report: reportOf(scope, rows), strings: stringsOf(scope) };
  });
}

async function findScope(
  { core, db }: { core: Pick<Core, 'sealer'>; db: CoreDb | CoreTransaction },
  accountId: AccountRow['account_id'],
  whom: Whom,
): Promise<Scope> {
  const complete = whom.by === 'reservation_code' ? await staysOfReservation(db, accountId, whom.reservation_code) : [];
  const email = whom.by === 'email' ? whom.email.trim().toLowerCase() : undefined;
  const guests =
    whom.by === 'reservation_code'
      ? await guestsOf(
          db,
          accountId,
          complete.map((stay) => stay.id),
        )
      : whom.by === 'guest_id'
        ? await guestById(db, accountId, whom.guest_id)
        : await guestsByEmail(db, accountId, email ?? '');
  const booked = guests.filter((guest) => guest.is_booker === 1).map((guest) => guest.reservation_code);
  const codes = [...new Set([...booked, ...complete.map((stay) => stay.reservation_code)])];
  const written = await staysOf(db, accountId, codes);
  const conversations = await conversationsOf(db, accountId, { reservationCodes: codes, email });
  const registered = await registeredBy(core, db, accountId, {
    stays: written.map((stay) => stay.id),
    persons: guests,
    email,
  });
  return { guests, written, complete, conversations, registered, email };
}

async function forget({ trx, account, core }: Change, scope: Scope): Promise<Record<string, number>> {
  const { account_id } = account;
  const guestIds = scope.guests.map((guest) => guest.id);
  const stayIds = scope.written.map((stay) => stay.id);
  const codes = [...new Set(scope.written.map((stay) => stay.reservation_code))];
  const pictures = await deleteGuestImages(trx, account_id, guestIds);
  const guides = await deleteGuideImages(
    trx,
    account_id,
    scope.complete.map((stay) => stay.id),
  );
  const said = await forgetConversations(
    trx,
    account_id,
    scope.conversations.map((conversation) => conversation.conversation_id),
  );
  const rows = {
    guest: await forgetGuests(trx, account_id, guestIds),
    picture: pictures + guides,
    stay: await forgetStays(trx, account_id, stayIds),
    transaction: await forgetEntries(trx, account_id, codes),
    task: await forgetTasks(
      trx,
      account_id,
      scope.written.map((stay) => stay.stay_code),
    ),
    review: await forgetReviews(trx, account_id, codes),
    conversation: said.conversations,
    message: said.messages,
    post: await forgetPosts(trx, account_id, scope),
    imported: await forgetImports(trx, account_id, codes),
    registration: await dropRegistered(trx, account_id, scope.registered),
    // Nobody knows who stands in a file that waits to be imported.
    upload: await deleteUploads(trx, account_id),
    mail: await forgetOnChannels(trx, core, { accountId: account_id, scope }),
  };
  return Object.fromEntries(Object.entries(rows).filter(([, count]) => count > 0));
}

/** Erases the person from tables that belong to channels. */
async function forgetOnChannels(
  trx: CoreTransaction,
  { channels }: Core,
  { accountId, scope }: { accountId: AccountRow['account_id']; scope: Scope },
): Promise<number> {
  const emails = [
    ...scope.guests.map(({ email }) => email),
    ...scope.conversations.map(({ guest_email }) => guest_email),
    ...(scope.email === undefined ? [] : [scope.email]),
  ];
  const addresses = [...new Set(emails.flatMap((email) => (email === null ? [] : [email.trim().toLowerCase()])))];
  const threads = scope.conversations.map(({ channel_thread_id }) => channel_thread_id);
  let rows = 0;
  for (const { privacy } of channels.values()) {
    if (privacy) rows += await privacy.forget(trx, accountId, { threads, addresses });
  }
  return rows;
}

async function forgetReviews(trx: CoreTransaction, accountId: AccountRow['account_id'], codes: readonly string[]) {
  const reviews = await reviewsOf(trx, accountId, codes);
  for (const { id, ...texts } of reviews) {
    const { host_review, guest_review, host_reply } = texts;
    await saveReviewTexts(trx, accountId, {
      id,
      host_review: withoutWords(host_review),
      guest_review: withoutWords(guest_review),
      host_reply: withoutWords(host_reply),
    });
  }
  return reviews.length;
}

/** Removes texts from a review. Scores and times remain. */
function withoutWords(stored: string | null): string | null {
  if (stored === null) return null;
  const part = JSON.parse(stored) as Record<string, unknown>;
  return JSON.stringify({ ...part, content: '', ...('private_feedback' in part && { private_feedback: null }) });
}

/** Cancels posts that still wait for a channel. */
async function forgetPosts(trx: CoreTransaction, accountId: AccountRow['account_id'], scope: Scope): Promise<number> {
  const named = new Set(stringsOf(scope));
  const conversations = new Set(
    scope.conversations.flatMap((conversation) => [conversation.conversation_id, conversation.channel_thread_id]),
  );
  const codes = new Set(
    await channelIdsOf(
      trx,
      accountId,
      scope.written.map((stay) => stay.reservation_code),
    ),
  );
  const ids = (await postsOn(trx, accountId)).flatMap(({ id, payload }) => {
    const post = JSON.parse(payload) as { thread?: string; reservation?: string };
    const isAbout = conversations.has(post.thread ?? '') || codes.has(post.reservation ?? '');
    return isAbout || [...named].some((text) => payload.includes(text)) ? [id] : [];
  });
  return deletePosts(trx, accountId, ids);
}

/** Returns every changed stay as events name it. */
function stays({ guests, written }: Scope): Pick<Stay, 'reservation_code' | 'stay_code' | 'property_id'>[] {
  const named = [...written, ...guests].map(({ reservation_code, stay_code, property_id }) => {
    return [stay_code, { reservation_code, stay_code, property_id }] as const;
  });
  return [...new Map(named).values()];
}

function reservationsOf({ guests, written }: Scope): string[] {
  return [...new Set([...written, ...guests].map((one) => one.reservation_code as string))].toSorted();
}

function stringsOf({ guests, conversations }: Scope): string[] {
  const texts = [
    ...guests.flatMap(({ name, phone, email, id_number }) => [name, phone, email, id_number]),
    ...conversations.flatMap(({ guest_name, guest_email, guest_phone }) => [guest_name, guest_email, guest_phone]),
  ];
  // Shorter texts occur everywhere.
  return [...new Set(texts.filter((text) => text !== null && text.trim().length >= 4).map(String))];
}

function reportOf(scope: Scope, rows: Record<string, number>): CoreErasure {
  const { guests, written, registered } = scope;
  return {
    bookings: reservationsOf(scope),
    stays: new Set([...written, ...guests, ...registered].map((one) => ('stay_id' in one ? one.stay_id : one.id))).size,
    persons: guests.length + registered.length,
    conversations: scope.conversations.length,
    rows,
  };
}
