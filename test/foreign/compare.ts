import type { ResourceName } from './upstream/show.ts';
import { describedChannel } from './upstream/show.ts';
import { paymentStatus } from './upstream/described.ts';
import type { Channel, Stay } from './upstream/records.ts';
import { addDays, dateIn, daysBetween, datesFrom } from './upstream/time.ts';
import type { Upstream } from './upstream/upstream.ts';

export type SqlRow = Record<string, unknown>;
/** Asks the tables of a mirror. */
export type AskSql = (sql: string) => Promise<SqlRow[]>;

type Expected = readonly SqlRow[];

/** A table of the mirror, and what must stand in it when the truth is this. */
interface Compared {
  table: string;
  key: readonly string[];
  where?: string;
  rows(upstream: Upstream): Expected;
}

/** The wire tells whole seconds. */
const instant = (ms: number | null) => (ms === null ? null : `${new Date(ms).toISOString().slice(0, 19)}.000Z`);
const list = (values: readonly unknown[]) => JSON.stringify(values);
const channel = (one: Channel) => describedChannel(one);
const place = (fullConversation: string, id: string) =>
  `${encodeURIComponent(fullConversation)}/${encodeURIComponent(id)}`;

/** A value where the answer tells it, else null: what is not told is unknown. */
function teller(upstream: Upstream, name: ResourceName, record: never) {
  return <Value>(path: string, value: Value): Value | null => (upstream.show.tells(name, record, path) ? value : null);
}

function stayRow(upstream: Upstream, one: Stay): SqlRow {
  const told = teller(upstream, 'reservation', one as never);
  const { currency } = upstream.truth.account;
  const priced = told('rates.rate', currency) ?? told('rates.total_rate', currency) ?? told('payment', currency);
  const inPrice = (path: string, cents: number | null) => (priced === null ? null : told(path, cents));
  const total = one.totalRate - one.totalCommission;
  const deposit = told('check_in_details.deposit_details', one.deposit);
  return {
    stay_code: one.stayCode,
    reservation_code: one.code,
    channel_id: one.reference,
    channel_type: channel(one.channel),
    listing_id: one.listing,
    custom_channel: told('custom_channel', one.source?.name ?? null),
    property_id: one.property,
    in_reservation_box: one.property === 0 ? 1 : 0,
    status: one.status,
    check_in_date: one.arrival,
    check_out_date: one.departure,
    nights: daysBetween(one.arrival, one.departure),
    number_of_guests: one.adults + one.children,
    number_of_adults: told('number_of_adults', one.adults),
    number_of_pets: told('number_of_pets', one.pets),
    currency: priced,
    rate_minor: inPrice('rates.rate', one.rate),
    commission_minor: inPrice('rates.commission', one.commission),
    tax_minor: inPrice('rates.tax', one.tax),
    total_rate_minor: inPrice('rates.total_rate', one.totalRate),
    payment_total_minor: told('payment', total),
    received_minor: told('payment', one.received),
    balance_minor: told('payment', Math.max(0, total - one.received)),
    payment_status: told('payment', paymentStatus(total, one.received)),
    deposit_minor: priced === null && !deposit ? null : told('check_in_details.deposit', one.deposit?.asked ?? 0),
    deposit_status: deposit?.status ?? null,
    deposit_paid_minor: deposit?.paid ?? null,
    cancellation_policy_category: one.policy,
    conversation_id: told('conversation_id', one.fullConversation),
    tags: told('tags', list(one.tags)),
    booked_at: instant(one.bookedAt),
    created_at: instant(one.enteredAt),
    cancelled_at: told('cancelled_at', instant(one.cancelledAt)),
  };
}

const compared: readonly Compared[] = [
  {
    table: 'properties',
    key: ['id'],
    rows: (upstream) =>
      upstream.truth.properties.all().map((one) => {
        const told = teller(upstream, 'property', one as never);
        return { id: one.number, name: one.name, address: told('address', one.address) };
      }),
  },
  {
    table: 'room_types',
    key: ['id'],
    rows: ({ truth }) =>
      truth.roomTypes.all().map((one) => ({ id: one.number, name: one.name, property_ids: list(one.properties) })),
  },
  {
    table: 'property_groups',
    key: ['id'],
    rows: ({ truth }) =>
      truth.groups.all().map((one) => ({ id: one.number, name: one.name, property_ids: list(one.properties) })),
  },
  {
    table: 'property_tags',
    key: ['id'],
    rows: ({ truth }) =>
      truth.tags
        .all()
        .map((one) => ({ id: one.number, name: one.name, color: one.color, property_ids: list(one.properties) })),
  },
  {
    table: 'reservation_tags',
    key: ['id'],
    rows: ({ truth }) =>
      truth.stayTags.all().map((one) => ({ id: one.number, tag_name: one.name, is_default: one.isDefault ? 1 : 0 })),
  },
  {
    table: 'calendar_share_links',
    key: ['id'],
    rows: (upstream) =>
      upstream.truth.shareLinks.all().map((one) => ({
        id: one.number,
        property_ids: list(one.properties),
        created_at: teller(upstream, 'calendar_share_link', one as never)('created_at', instant(one.madeAt)),
      })),
  },
  {
    table: 'channel_accounts',
    key: ['id'],
    rows: ({ truth }) =>
      truth.channelAccounts
        .all()
        .map((one) => ({ id: one.number, channel_type: channel(one.channel), auth_status: one.state })),
  },
  {
    table: 'listings',
    key: ['listing'],
    rows: (upstream) =>
      upstream.truth.listings.all().map((one) => {
        const told = teller(upstream, 'listing', one as never);
        return {
          listing: `${channel(one.channel)}/${one.listing}`,
          channel_type: channel(one.channel),
          id: told('id', one.number),
          title: told('title', one.title),
          inventory: told('inventory', one.units),
        };
      }),
  },
  {
    table: 'custom_channels',
    key: ['id'],
    rows: ({ truth }) => truth.sources.all().map((one) => ({ id: one.number, name: one.name })),
  },
  {
    table: 'dictionary_items',
    key: ['item'],
    rows: ({ truth }) =>
      truth.dictionary.all().map((one) => ({ item: `${one.dictionary}/${one.number}`, name: one.name })),
  },
  {
    table: 'stays',
    key: ['stay_code'],
    rows: (upstream) => upstream.truth.stays.all().map((one) => stayRow(upstream, one)),
  },
  {
    table: 'stay_nights',
    key: ['stay_code', 'night'],
    where: 'true',
    rows: ({ truth }) =>
      truth.stays.all().flatMap((one) =>
        datesFrom(one.arrival, addDays(one.departure, -1)).map((night) => ({
          stay_code: one.stayCode,
          night,
          status: one.status,
          property_id: one.property,
        })),
      ),
  },
  {
    table: 'transactions',
    key: ['id'],
    rows: (upstream) =>
      upstream.truth.entries.all().map((one) => {
        const told = teller(upstream, 'transaction', one as never);
        return {
          id: one.number,
          reservation_code: one.code,
          property_id: told('property_id', one.property),
          direction: one.direction,
          item_id: told('item_id', one.item),
          payment_method_id: told('payment_method_id', one.method),
          amount_minor: one.amount,
          currency: one.currency,
          action_at: instant(one.at),
          action_date: dateIn(one.at, upstream.truth.account.zone),
          status: told('status', 'paid'),
          updated_at: told('updated_at', instant(one.changedAt)),
        };
      }),
  },
  {
    table: 'conversations',
    key: ['conversation_id'],
    rows: ({ truth }) =>
      truth.fullConversations.all().map((one) => ({
        conversation_id: one.id,
        channel_type: channel(one.channel),
        reservation_codes: list(one.about.filter((code) => truth.stays.all().some((stay) => stay.code === code))),
      })),
  },
  {
    table: 'messages',
    key: ['message'],
    rows: (upstream) =>
      upstream.truth.messages.all().map((one) => ({
        message: place(one.fullConversation, one.id),
        sender_role: one.from,
        display_type: teller(upstream, 'message', one as never)('display_type', one.kind),
        attachments: one.attachment ? 1 : 0,
        sent_at: instant(one.at),
      })),
  },
  {
    table: 'special_offers',
    key: ['offer'],
    rows: (upstream) =>
      upstream.truth.offers.all().map((one) => ({
        offer: place(one.fullConversation, one.id),
        status: one.status,
        check_in_date: one.arrival,
        nights: daysBetween(one.arrival, one.departure),
        price_minor: teller(upstream, 'special_offer', one as never)('currency', one.price),
      })),
  },
  {
    table: 'reviews',
    key: ['reservation_code', 'property_id'],
    rows: ({ truth }) =>
      truth.reviews.all().map((one) => ({
        reservation_code: one.code,
        property_id: one.property,
        channel_type: channel(one.channel),
        check_out_date: one.departure,
        guest_score_hundredths: one.guest ? one.guest.score * 100 : null,
        guest_reviewed_at: instant(one.guest?.at ?? null),
        host_score_hundredths: one.host ? one.host.score * 100 : null,
        host_replied_at: instant(one.reply?.at ?? null),
      })),
  },
  {
    table: 'tasks',
    key: ['id'],
    rows: (upstream) =>
      upstream.truth.tasks.all().map((one) => {
        const told = teller(upstream, 'task', one as never);
        return {
          id: one.number,
          type: one.type,
          status: one.status,
          property_id: told('property_id', one.property),
          stay_code: told('stay_code', one.stay),
          staff_id: told('staff_id', one.staff),
          expected_date: told('expected_date', one.date),
          expected_time: told('expected_time', one.time),
          fee_minor: told('currency', one.fee) && told('fee', one.fee),
          updated_at: told('update_time', instant(one.changedAt)),
        };
      }),
  },
  {
    table: 'staffs',
    key: ['id'],
    rows: ({ truth }) => truth.staffs.all().map((one) => ({ id: one.number, is_active: one.isActive ? 1 : 0 })),
  },
  {
    table: 'automation_actions',
    key: ['plan_id'],
    rows: ({ truth }) =>
      truth.actions.all().map((one) => ({
        plan_id: String(one.number),
        type: one.type,
        name: one.name,
        stay_code: one.stay,
        property_id: one.property,
        channel_type: one.channel === null ? null : channel(one.channel),
        scheduled_at: instant(one.at),
      })),
  },
  {
    table: 'knowledge_bases',
    key: ['id'],
    rows: ({ truth }) =>
      truth.knowledge.all().map((one) => ({
        id: one.number,
        title: one.title,
        scope_ids: list(one.properties.length === 0 ? [-1] : one.properties),
        scope_channels: list(one.channels.length === 0 ? ['unlimited'] : one.channels.map(channel)),
        is_enable: one.isOn ? 1 : 0,
      })),
  },
  {
    table: 'availability_days',
    key: ['property_id', 'date'],
    where: 'available = 0',
    rows: (upstream) =>
      upstream.truth.closed
        .all()
        .filter(({ date }) => isReadNight(upstream, date))
        .map((one) => ({ property_id: one.property, date: one.date })),
  },
  {
    table: 'calendar_days',
    key: ['listing', 'date'],
    where: 'true',
    rows: (upstream) => upstream.truth.listings.all().flatMap((one) => calendarOf(upstream, one.listing)),
  },
];

/** From a year back on; a place can be a day apart. */
function isReadNight({ truth, now }: Upstream, date: string): boolean {
  return date > addDays(dateIn(now(), truth.account.zone), -364);
}

function calendarOf(upstream: Upstream, listing: string): SqlRow[] {
  const { truth, now } = upstream;
  const own = truth.listings.get(listing);
  if (!own) return [];
  const today = dateIn(now(), truth.account.zone);
  const inThreeYears = `${Number(today.slice(0, 4)) + 3}${today.slice(4)}`;
  return datesFrom(addDays(today, -1), inThreeYears).map((date) => {
    const usual = { listing, date, price: own.price, units: own.units, minStay: null, closedOnArrival: false };
    const day = truth.days.get(`${listing} ${date}`) ?? usual;
    const told = teller(upstream, 'calendar_day', day as never);
    return {
      listing: `${channel(own.channel)}/${listing}`,
      date,
      price: String(day.price / 100),
      inventory: day.units,
      min_stay_on_arrival: told('restrictions', day.minStay),
    };
  });
}

/** What a mirror says otherwise than the truth, read from its tables. At most so many of each table. */
export async function differences(upstream: Upstream, ask: AskSql, connection: string, most = 3): Promise<string[]> {
  const found: string[] = [];
  for (const { table, key, where = 'deleted_at is null', rows } of compared) {
    const wanted = rows(upstream);
    const columns = Object.keys(wanted[0] ?? {});
    const names = columns.length === 0 ? key : columns;
    const stored = await ask(
      `select ${names.join(', ')} from ${table} where connection = '${connection}' and ${where}`,
    );
    found.push(...unlike(table, key, wanted, stored).slice(0, most));
  }
  return found;
}

function unlike(table: string, key: readonly string[], wanted: Expected, stored: readonly SqlRow[]): string[] {
  const nameOf = (row: SqlRow) => key.map((column) => String(row[column])).join(' ');
  const rest = new Map(stored.map((row) => [nameOf(row), row]));
  const found: string[] = [];
  for (const row of wanted) {
    const name = nameOf(row);
    const other = rest.get(name);
    rest.delete(name);
    if (!other) {
      found.push(`${table} ${name} is not in the mirror`);
      continue;
    }
    const columns = Object.keys(row).filter((column) => row[column] !== other[column]);
    if (columns.length === 0) continue;
    const values = columns.map((column) => `${column} is ${String(other[column])}, not ${String(row[column])}`);
    found.push(`${table} ${name}: ${values.join('; ')}`);
  }
  return [...found, ...[...rest.keys()].map((name) => `${table} ${name} is in the mirror only`)];
}
