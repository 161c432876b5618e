import type { Fields } from '../../../client/fields.ts';
import { turn } from '../../../kernel/clock.ts';
import { instantOf } from '../../../kernel/dates.ts';
import { inList } from '../../../store/queries/inList.ts';
import type { MirrorDb } from '../../tables/database.ts';
import { BOOKER } from '../../tables/rows/personal.ts';
import { affectedBy } from './affected.ts';
import { type Erasing, scrub } from './erase.ts';
import { erasedAmong, erasuresBeside, finish, insertErasures, unfinished } from './erasureTable.ts';
import { namingStrings } from './forgetRaw.ts';
import { addConversations, emptyScope, type Scope } from './scope.ts';
import { subject } from './subjects.ts';

const BATCH = 500;

/**
 * Repeats, at a start, the erasures whose data is back: a restored backup is older than the erasure, or the erasure was
 * interrupted. @returns the connections in which there was something to do
 */
export async function reapplyErasures(context: Omit<Erasing, 'connection'>): Promise<string[]> {
  const { store, clock, log } = context;
  const logged = log.read();
  if (logged.length > 0) await store.transaction((trx) => insertErasures(trx, logged));
  const unlogged = await erasuresBeside(store.db, logged);
  // A restored backup knows of erasures that the record of another directory does not.
  if (unlogged.length > 0) log.append(unlogged);
  const due = await unfinished(store.db);
  for (const connection of due) {
    const until = instantOf(clock.now());
    const scope = await scopeOfErased({ ...context, connection });
    await scrub({ ...context, connection }, await affectedBy(store.db, connection, scope));
    await finish(store.db, connection, until);
  }
  return due;
}

/** Finds all stored data that was erased before, by the fingerprints alone. */
async function scopeOfErased({ store, connection, fingerprint }: Erasing): Promise<Scope> {
  const scope = emptyScope();
  const strings: unknown[] = [];
  for (let after: string | undefined = ''; after !== undefined;) {
    const page = await staysAfter(store.db, connection, after);
    const guests = await guestsOf(store.db, connection, page);
    const wanted = page.map((stay) => ({ stay, subjects: subjectsOfStay(stay, guests.get(stay.stay_code) ?? []) }));
    const hashes = wanted.flatMap(({ subjects }) => subjects.map((one) => fingerprint(one.text)));
    const erased = await erasedAmong(store.db, connection, hashes);
    for (const { stay, subjects } of wanted) {
      const hits = subjects.filter((one) => erased.has(fingerprint(one.text)));
      if (hits.length === 0) continue;
      const all = hits.some((hit) => hit.owner === 'all');
      const owners = all ? ('all' as const) : new Set(hits.flatMap(({ owner }) => owner ?? []));
      const text = all || hits.some((hit) => hit.owner === null);
      scope.stays.set(stay.stay_code, { reservation: stay.reservation_code, owners, text });
      const gone = (guests.get(stay.stay_code) ?? []).filter((one) => owners === 'all' || owners.has(one.guest_key));
      strings.push(...gone.flatMap(({ name, phone, email, id_number }) => [name, phone, email, id_number]));
    }
    after = page.length === BATCH ? page.at(-1)?.stay_code : undefined;
    await turn();
  }
  await addConversations(store.db, connection, scope);
  await addErasedConversations({ db: store.db, connection, fingerprint }, scope);
  scope.strings = namingStrings(strings);
  return scope;
}

type StayOfPage = Awaited<ReturnType<typeof staysAfter>>[number];

function staysAfter(db: MirrorDb, connection: string, after: string) {
  return db
    .selectFrom('stays')
    .select(['stay_code', 'reservation_code', 'raw'])
    .where('connection', '=', connection)
    .where('stay_code', '>', after)
    .orderBy('stay_code')
    .limit(BATCH)
    .execute();
}

async function guestsOf(db: MirrorDb, connection: string, stays: readonly StayOfPage[]) {
  const codes = stays.map((stay) => stay.stay_code);
  const rows = await db
    .selectFrom('guests')
    .selectAll()
    .where('connection', '=', connection)
    .where((eb) => inList(eb.ref('stay_code'), codes))
    .execute();
  const byStay = new Map<string, typeof rows>();
  for (const row of rows) byStay.set(row.stay_code, [...(byStay.get(row.stay_code) ?? []), row]);
  return byStay;
}

interface SubjectOfStay {
  text: string;
  /** The person that it names; null: free text. */
  owner: string | null;
}

/** Returns the possible subjects of a stay. Guests whose rows are gone can still be in the raw row. */
function subjectsOfStay(stay: StayOfPage, guests: readonly { guest_key: string }[]): SubjectOfStay[] {
  const { stay_code, reservation_code, raw } = stay;
  const onRecord = (JSON.parse(raw) as Fields)['guests'];
  const ids = Array.isArray(onRecord) ? onRecord.map((guest: Fields) => String(guest['id'])) : [];
  const owners = new Set([BOOKER, ...ids, ...guests.map((guest) => guest.guest_key)]);
  return [
    { text: subject.booking(reservation_code), owner: 'all' },
    { text: subject.text(reservation_code), owner: null },
    ...[...owners].map((owner) => ({ text: subject.guest(stay_code, owner), owner })),
  ];
}

async function addErasedConversations(
  { db, connection, fingerprint }: Pick<Erasing, 'connection' | 'fingerprint'> & { db: MirrorDb },
  scope: Scope,
): Promise<void> {
  for (let after: string | undefined = ''; after !== undefined;) {
    const from: string = after;
    const page = await db
      .selectFrom('conversations')
      .select('conversation_id')
      .where('connection', '=', connection)
      .where('conversation_id', '>', from)
      .orderBy('conversation_id')
      .limit(BATCH)
      .execute();
    const hashed = page.map(({ conversation_id: id }) => ({ id, hash: fingerprint(subject.conversation(id)) }));
    const erased = await erasedAmong(
      db,
      connection,
      hashed.map((one) => one.hash),
    );
    for (const { id, hash } of hashed) if (erased.has(hash)) scope.conversations.add(id);
    after = page.length === BATCH ? page.at(-1)?.conversation_id : undefined;
    await turn();
  }
}
