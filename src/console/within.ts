import type { GuardedId } from '../contract/index.ts';
import { preparedByArguments } from '../store/queries/prepared.ts';
import type { MirrorDb } from '../sync/read/mirror.ts';
import { aboutProperties } from './inbox/query.ts';
import { readProperties } from './properties.ts';

/** What a person sees of a connection. */
interface Sight {
  readonly db: MirrorDb;
  readonly connection: string;
  readonly properties: readonly number[];
}

/** Says if everything that a part of the input names is the person's. */
type Part = (sight: Sight, input: Readonly<Record<string, unknown>>) => Promise<boolean>;

const property: Part = (sight, { property_id }) => seesAll(sight, [property_id]);
const properties: Part = (sight, { property_ids }) => seesAll(sight, [property_ids].flat());

/** One stay, by its own code. */
const stay: Part = async (sight, { stay_code }) => {
  const [found] = await stays(sight.db, { connection: sight.connection, stay: String(stay_code) });
  return found !== undefined && sight.properties.includes(found.property_id ?? 0);
};

/** A reservation, with every room that it has. */
const reservation: Part = async (sight, { reservation_code }) => {
  const rooms = await roomsOf(sight, reservation_code);
  return rooms.length > 0 && rooms.every((id) => sight.properties.includes(id));
};

/** A reservation, by one of its rooms. */
const someRoom: Part = async (sight, { reservation_code }) =>
  (await roomsOf(sight, reservation_code)).some((id) => sight.properties.includes(id));

const conversation: Part = async ({ db, ...sight }, { conversation_id }) => {
  const found = await conversations(db, { ...sight, conversation: String(conversation_id) });
  return found.length > 0;
};

/** A listing, with every property that is sold by it. */
const listing: Part = (sight, { channel_type, listing_id }) =>
  sellsWithin(sight, `${String(channel_type)}/${String(listing_id)}`);

/** A listing of the channel on which a conversation is. */
const offered: Part = async ({ db, ...sight }, { conversation_id, listing_id }) => {
  const [found] = await conversations(db, { ...sight, conversation: String(conversation_id) });
  return found !== undefined && sellsWithin({ db, ...sight }, `${found.channel_type}/${String(listing_id)}`);
};

const task: Part = async (sight, { id }) => {
  const [found] = await tasks(sight.db, { connection: sight.connection, task: Number(id) });
  return found !== undefined && sight.properties.includes(found.property_id ?? 0);
};

/** A part that may be left out. */
const ifGiven =
  (name: string, part: Part): Part =>
  async (sight, input) =>
    input[name] === undefined || part(sight, input);

async function seesAll({ db, connection, properties: own }: Sight, ids: readonly unknown[]): Promise<boolean> {
  const known = (await readProperties(db, { connection, properties: own })).map(({ id }) => id);
  return ids.length > 0 && ids.every((id) => known.some((one) => one === id));
}

async function roomsOf({ db, connection }: Sight, reservation: unknown): Promise<number[]> {
  const rooms = await stays(db, { connection, reservation: String(reservation) });
  return rooms.map(({ property_id }) => property_id ?? 0);
}

async function sellsWithin({ db, connection, properties: own }: Sight, key: string): Promise<boolean> {
  const sold = await soldBy(db, { connection, listing: key });
  return sold.length > 0 && sold.every(({ property_id }) => own.includes(property_id));
}

const stays = preparedByArguments(
  (db: MirrorDb, arg: { connection: string; stay?: string | undefined; reservation?: string | undefined }) => {
    const all = db
      .selectFrom('stays')
      .where('connection', '=', arg.connection)
      .where('deleted_at', 'is', null)
      .select('property_id');
    return arg.stay === undefined
      ? all.where('reservation_code', '=', arg.reservation ?? '')
      : all.where('stay_code', '=', arg.stay);
  },
);

const conversations = preparedByArguments(
  (db: MirrorDb, arg: { connection: string; conversation: string; properties: readonly number[] }) =>
    db
      .selectFrom('conversations')
      .where('connection', '=', arg.connection)
      .where('conversation_id', '=', arg.conversation)
      .where('deleted_at', 'is', null)
      .where((where) => aboutProperties(db, where.ref('property_ids'), arg.properties))
      .select('channel_type'),
);

const soldBy = preparedByArguments((db: MirrorDb, arg: { connection: string; listing: string }) =>
  db
    .selectFrom('property_listings')
    .where('connection', '=', arg.connection)
    .where('listing', '=', arg.listing)
    .select('property_id'),
);

const tasks = preparedByArguments((db: MirrorDb, arg: { connection: string; task: number }) =>
  db
    .selectFrom('tasks')
    .where('connection', '=', arg.connection)
    .where('id', '=', arg.task)
    .where('deleted_at', 'is', null)
    .select('property_id'),
);

/** By what each operation names properties. One that is not here concerns the whole account. */
const PARTS: { readonly [Id in GuardedId]?: readonly Part[] } = {
  createReservation: [property],
  updateReservation: [stay],
  updateCheckInDetails: [stay],
  allocateReservation: [stay, property],
  moveReservationToBox: [stay],
  updateStayStatus: [stay],
  addReservationTag: [stay],
  removeReservationTag: [stay],
  updateCustomFields: [stay],
  approveReservation: [reservation],
  declineReservation: [reservation],
  cancelReservation: [reservation],
  createReview: [reservation],
  // The page takes its own stay from the answer, and what was paid for an order is of no room.
  listReservations: [someRoom],
  createTransaction: [someRoom],
  sendMessage: [conversation],
  updateConversationNote: [conversation],
  createPreapproval: [conversation],
  createSpecialOffer: [offered],
  withdrawSpecialOffer: [conversation],
  updateAvailabilities: [properties],
  updatePrices: [listing],
  updateRestrictions: [listing],
  createTask: [property, ifGiven('stay_code', stay)],
  updateTask: [task, ifGiven('property_id', property), ifGiven('stay_code', stay)],
  deleteTask: [task],
};

/**
 * Returns true if an operation concerns nothing but these properties, as the mirror has it. A deployment elsewhere cannot
 * tell: it is asked with the connection's token, which sees everything.
 */
export async function isWithin(sight: Sight, id: GuardedId, input: object): Promise<boolean> {
  const parts = PARTS[id];
  if (!parts) return false;
  for (const part of parts) if (!(await part(sight, { ...input }))) return false;
  return true;
}
