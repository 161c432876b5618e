import { inList } from '../../../store/queries/inList.ts';
import type { GuestsTable, MirrorDb } from '../../tables/database.ts';
import { BOOKER } from '../../tables/rows/personal.ts';
import { namingStrings } from './forgetRaw.ts';
import { tidyAddress } from './subjects.ts';

/** The person to erase, named in one of three ways. */
export type Whom =
  | { by: 'guest_id'; guest_id: number }
  | { by: 'email'; email: string }
  | { by: 'reservation_code'; reservation_code: string };

/** The parts of a stay to erase. */
interface StayScope {
  reservation: string;
  owners: 'all' | Set<string>;
  /** Set if the booker is erased: notes, conversation and review go, too. */
  text: boolean;
}

/** Everything that an erasure covers. */
export interface Scope {
  stays: Map<string, StayScope>;
  conversations: Set<string>;
  /** Reservations of which all persons are erased. */
  bookings: Set<string>;
  addresses: Set<string>;
  /** The names of the persons; held in memory only. */
  strings: string[];
}

export function emptyScope(): Scope {
  return { stays: new Map(), conversations: new Set(), bookings: new Set(), addresses: new Set(), strings: [] };
}

/** Finds everything that is stored about a person. */
export async function findScope(db: MirrorDb, connection: string, whom: Whom): Promise<Scope> {
  const scope = emptyScope();
  if (whom.by === 'reservation_code') await addReservation(db, connection, whom.reservation_code, scope);
  else await addPersons(db, connection, await personsNamed(db, connection, whom), scope);
  await addSiblings(db, connection, scope);
  if (whom.by === 'email') await addAddress(db, connection, whom.email, scope);
  await addConversations(db, connection, scope);
  scope.strings = namingStrings([
    ...scope.strings,
    ...(await namesInConversations(db, connection, [...scope.conversations])),
  ]);
  return scope;
}

async function addReservation(db: MirrorDb, connection: string, code: string, scope: Scope): Promise<void> {
  const named = await db
    .selectFrom('stays')
    .select('reservation_code')
    .where('connection', '=', connection)
    .where((eb) => eb.or([eb('reservation_code', '=', code), eb('stay_code', '=', code)]))
    .execute();
  const codes = [...new Set(named.map((row) => row.reservation_code))];
  const stays = await db
    .selectFrom('stays')
    .select(['stay_code', 'reservation_code'])
    .where('connection', '=', connection)
    .where((eb) => inList(eb.ref('reservation_code'), codes))
    .execute();
  for (const { stay_code, reservation_code } of stays) {
    scope.bookings.add(reservation_code);
    scope.stays.set(stay_code, { reservation: reservation_code, owners: 'all', text: true });
  }
  const guests = await db
    .selectFrom('guests')
    .selectAll()
    .where('connection', '=', connection)
    .where((eb) => inList(eb.ref('stay_code'), [...scope.stays.keys()]))
    .execute();
  scope.strings.push(...guests.flatMap(namesOf));
}

function personsNamed(db: MirrorDb, connection: string, whom: Exclude<Whom, { by: 'reservation_code' }>) {
  return db
    .selectFrom('guests')
    .selectAll()
    .where('connection', '=', connection)
    .where((eb) =>
      whom.by === 'guest_id'
        ? eb('guest_key', '=', String(whom.guest_id))
        : eb(eb.fn<string>('lower', [eb.fn<string>('trim', ['email'])]), '=', tidyAddress(whom.email)),
    )
    .execute();
}

/** Adds persons to the scope. A booker who also stays occurs twice: as the booker, and as a guest on record. */
async function addPersons(
  db: MirrorDb,
  connection: string,
  persons: readonly GuestsTable[],
  scope: Scope,
): Promise<void> {
  const codes = [...new Set(persons.map((person) => person.stay_code))];
  const stays = await db
    .selectFrom('stays')
    .select(['stay_code', 'reservation_code'])
    .where('connection', '=', connection)
    .where((eb) => inList(eb.ref('stay_code'), codes))
    .execute();
  const reservations = new Map(stays.map((row) => [row.stay_code, row.reservation_code]));
  const beside = await db
    .selectFrom('guests')
    .selectAll()
    .where('connection', '=', connection)
    .where((eb) => inList(eb.ref('stay_code'), codes))
    .where('is_booker', '=', 1)
    .execute();
  for (const person of persons) {
    const { stay_code: stay } = person;
    const known = scope.stays.get(stay) ?? {
      reservation: reservations.get(stay) ?? stay,
      owners: new Set<string>(),
      text: false,
    };
    scope.stays.set(stay, known);
    const same = person.is_booker === 1 ? beside.filter((other) => other.stay_code === stay) : [];
    for (const one of [person, ...same]) {
      if (known.owners !== 'all') known.owners.add(one.guest_key);
      scope.strings.push(...namesOf(one));
    }
    if (person.is_booker === 1 || person.guest_key === BOOKER) known.text = true;
  }
}

/** Adds the other stays of a reservation, since each of them carries the texts about it. */
async function addSiblings(db: MirrorDb, connection: string, scope: Scope): Promise<void> {
  const written = [...scope.stays.values()].filter((stay) => stay.text).map((stay) => stay.reservation);
  const stays = await db
    .selectFrom('stays')
    .select(['stay_code', 'reservation_code'])
    .where('connection', '=', connection)
    .where((eb) => inList(eb.ref('reservation_code'), [...new Set(written)]))
    .execute();
  for (const { stay_code, reservation_code: reservation } of stays) {
    const known = scope.stays.get(stay_code);
    if (known) known.text = true;
    else scope.stays.set(stay_code, { reservation, owners: new Set(), text: true });
  }
}

function namesOf({ name, phone, email, id_number }: GuestsTable): string[] {
  return [name, phone, email, id_number].filter((one) => one !== null);
}

async function addAddress(db: MirrorDb, connection: string, email: string, scope: Scope): Promise<void> {
  scope.addresses.add(tidyAddress(email));
  const conversations = await db
    .selectFrom('personal_values')
    .select('row_key')
    .where('connection', '=', connection)
    .where('resource', '=', 'conversation')
    .where('path', '=', 'guest.email')
    .where((eb) => eb(eb.fn<string>('lower', [eb.fn<string>('trim', ['text'])]), '=', tidyAddress(email)))
    .execute();
  for (const { row_key } of conversations) scope.conversations.add(row_key);
}

/**
 * Adds the conversations of stays whose booker is erased. A conversation names its reservations, and a stay its
 * conversation.
 */
export async function addConversations(db: MirrorDb, connection: string, scope: Scope): Promise<void> {
  const written = [...scope.stays].filter(([, stay]) => stay.text);
  const named = await db
    .selectFrom('stays')
    .select('conversation_id')
    .where('connection', '=', connection)
    .where('conversation_id', 'is not', null)
    .where((eb) =>
      inList(
        eb.ref('stay_code'),
        written.map(([code]) => code),
      ),
    )
    .execute();
  for (const { conversation_id } of named) if (conversation_id !== null) scope.conversations.add(conversation_id);
  for (const code of new Set(written.map(([, stay]) => stay.reservation))) {
    const conversations = await db
      .selectFrom('conversations')
      .select(['conversation_id', 'reservation_codes'])
      .where('connection', '=', connection)
      .where('reservation_codes', 'like', `%${JSON.stringify(code)}%`)
      .execute();
    for (const { conversation_id, reservation_codes } of conversations) {
      if ((JSON.parse(reservation_codes ?? '[]') as unknown[]).includes(code)) scope.conversations.add(conversation_id);
    }
  }
}

async function namesInConversations(
  db: MirrorDb,
  connection: string,
  conversations: readonly string[],
): Promise<string[]> {
  const rows = await db
    .selectFrom('personal_values')
    .select('text')
    .where('connection', '=', connection)
    .where('resource', '=', 'conversation')
    .where((eb) => inList(eb.ref('row_key'), conversations))
    .where('path', 'in', ['guest.name', 'guest.email', 'guest.phone'])
    .execute();
  return rows.flatMap((row) => row.text ?? []);
}
