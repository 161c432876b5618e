import assert from 'node:assert/strict';
import type { Row } from '../../../test/support/service.ts';

type Rows = (sql: string) => Promise<Row[]>;

/** What the core holds and what the mirror should hold of it, both under the mirror's names; written once for all. */
const PAIRS: Record<string, { core: string; mirror: string }> = {
  stays: {
    core: `
      select s.stay_code, s.reservation_code, s.id, coalesce(b.channel_id, r.channel_id) as channel_id, s.channel_type, s.listing_id, s.property_id,
        s.status, s.check_in_date, s.check_out_date, s.number_of_guests, s.number_of_adults, s.number_of_children,
        s.number_of_infants, r.currency, s.rate as rate_minor, s.commission as commission_minor,
        r.total_rate as total_rate_minor, r.total_commission as total_commission_minor, s.id_required,
        s.deposit as deposit_minor, substr(s.booked_at, 1, 19) as booked_at,
        substr(s.created_at, 1, 19) as created_at, substr(s.cancelled_at, 1, 19) as cancelled_at
      from core.stays s join core.reservations r on r.reservation_code = s.reservation_code
      left join core.channel_reservations b on b.reservation_code = s.reservation_code
      order by s.stay_code`,
    mirror: `
      select stay_code, reservation_code, id, channel_id, channel_type, listing_id, property_id,
        status, check_in_date, check_out_date, number_of_guests, number_of_adults, number_of_children,
        number_of_infants, currency, rate_minor, commission_minor,
        total_rate_minor, total_commission_minor, id_required,
        deposit_minor, substr(booked_at, 1, 19) as booked_at,
        substr(created_at, 1, 19) as created_at, substr(cancelled_at, 1, 19) as cancelled_at
      from mirror.stays where deleted_at is null order by stay_code`,
  },
  nights: {
    core: `
      select s.stay_code, n.night, n.property_id
      from core.nights n join core.stays s on s.id = n.stay_id
      where s.status = 'accepted' order by s.stay_code, n.night`,
    mirror: `
      select stay_code, night, property_id
      from mirror.stay_nights where status = 'accepted' and property_id <> 0 order by stay_code, night`,
  },
  'taken days': {
    core: `
      select n.property_id, n.night as date from core.nights n
      where n.night >= (select min(date) from mirror.availability_days)
        and n.night <= (select max(date) from mirror.availability_days)
      order by n.property_id, n.night`,
    mirror: `
      select property_id, date from mirror.availability_days where available = 0 order by property_id, date`,
  },
  guests: {
    core: `
      select s.stay_code, g.name, g.phone, g.email, g.country, g.is_booker
      from core.guests g join core.stays s on s.id = g.stay_id order by s.stay_code, g.id`,
    mirror: `
      select stay_code, name, phone, email, country, is_booker from mirror.guests where guest_key <> 'booker' order by stay_code, guest_key`,
  },
  transactions: {
    core: `
      select id, reservation_code, property_id, direction, item_id, payment_method_id, amount as amount_minor,
        currency, substr(action_at, 1, 19) as action_at, substr(created_at, 1, 19) as created_at,
        substr(updated_at, 1, 19) as updated_at
      from core.transactions order by id`,
    mirror: `
      select id, reservation_code, property_id, direction, item_id, payment_method_id, amount_minor,
        currency, substr(action_at, 1, 19) as action_at, substr(created_at, 1, 19) as created_at,
        substr(updated_at, 1, 19) as updated_at
      from mirror.transactions where deleted_at is null order by id`,
  },
  properties: {
    core: 'select id, name, status, time_zone from core.properties order by id',
    mirror: 'select id, name, status, time_zone from mirror.properties where deleted_at is null order by id',
  },
  // Last, since it can differ without the rows above: a ledger entry changes what a booking has received.
  'money received': {
    core: `
      select r.reservation_code, coalesce((
        select sum(case when t.direction = 'income' then t.amount else -t.amount end)
        from core.transactions t
        left join core.dictionary_items i
          on i.account_id = t.account_id and i.dictionary = 'expense_items' and i.id = t.item_id
        where t.reservation_code = r.reservation_code and (t.direction = 'income' or i.refund = 1)
      ), 0) as received_minor
      from core.reservations r order by r.reservation_code`,
    mirror: `
      select reservation_code, received_minor
      from mirror.reservations where deleted_at is null order by reservation_code`,
  },
};

/** Compares the tables of both halves directly, field by field. @returns how many rows of each were compared */
export async function assertSameRows(rows: Rows): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const [what, sides] of Object.entries(PAIRS)) {
    const core = await rows(sides.core);
    assert.deepEqual(await rows(sides.mirror), core, what);
    counts[what] = core.length;
  }
  return counts;
}

/** The kinds of rows in which the two halves are not the same, each with the first row that differs. */
export async function differingRows(rows: Rows): Promise<string[]> {
  const differing: string[] = [];
  for (const [what, sides] of Object.entries(PAIRS)) {
    const core = (await rows(sides.core)).map((row) => JSON.stringify(row));
    const mirror = (await rows(sides.mirror)).map((row) => JSON.stringify(row));
    const at = core.findIndex((row, index) => row !== mirror[index]);
    if (at >= 0 || mirror.length > core.length) {
      const index = at < 0 ? core.length : at;
      differing.push(`${what}: core ${core[index] ?? 'nothing'}, mirror ${mirror[index] ?? 'nothing'}`);
    }
  }
  return differing;
}

/** The kinds of rows in which the two halves are not the same. */
export async function differingKinds(rows: Rows): Promise<string[]> {
  const differing: string[] = [];
  for (const [what, sides] of Object.entries(PAIRS)) {
    const [core, mirror] = [await rows(sides.core), await rows(sides.mirror)];
    if (JSON.stringify(core) !== JSON.stringify(mirror)) differing.push(what);
  }
  return differing;
}
