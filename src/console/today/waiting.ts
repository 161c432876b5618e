import { sql } from 'kysely';
import { addDays, type PlainDate } from '../../kernel/dates.ts';
import { inList } from '../../store/queries/inList.ts';
import { preparedByArguments } from '../../store/queries/prepared.ts';
import type { MirrorDb } from '../../sync/read/mirror.ts';
import { ofProperties } from '../properties.ts';
import { MOST_ROWS, shownStays } from './query.ts';

/** What can wait for a person, in the order of its hurry. */
export const waits = ['requests', 'box', 'identity', 'deposits'] as const;
/** One of {@link waits}. */
export type Wait = (typeof waits)[number];

/** Days from today within which a missing document of a guest is worth a line. */
const IDENTITY_DAYS = 7;

interface Asked {
  connection: string;
  /** Left out: all. */
  properties?: readonly number[] | undefined;
}

// The literals decide that the indexes of waiting stays are used; each holds few rows.

const requested = preparedByArguments((db: MirrorDb, { connection, properties }: Asked) =>
  db
    .selectFrom('stays')
    .where('connection', '=', connection)
    .where(sql<boolean>`status = 'wait_accept' and deleted_at is null`)
    .where((where) => ofProperties(where.ref('property_id'), properties))
    .select('stay_code')
    .orderBy('check_in_date')
    .orderBy('stay_code'),
);

const unplaced = preparedByArguments((db: MirrorDb, { connection, properties }: Asked) =>
  db
    .selectFrom('stays')
    .where('connection', '=', connection)
    .where(sql<boolean>`in_reservation_box = 1 and deleted_at is null`)
    .where('status', 'in', [sql.lit('accepted'), sql.lit('wait_accept'), sql.lit('wait_pay')])
    .where((where) => ofProperties(where.ref('property_id'), properties))
    .select('stay_code')
    .orderBy('check_in_date')
    .orderBy('stay_code'),
);

interface AskedUntil extends Asked {
  today: PlainDate;
  until: PlainDate;
}

/** Guests who come soon or are there, and whose document is required and not on record. */
const unidentified = preparedByArguments((db: MirrorDb, { connection, today, until, properties }: AskedUntil) =>
  db
    .selectFrom('stays')
    .where('connection', '=', connection)
    .where('check_out_date', '>', today)
    .where('check_in_date', '<=', until)
    .where(sql<boolean>`id_required <> 'not_required' and status = 'accepted' and deleted_at is null`)
    .where((where) => ofProperties(where.ref('property_id'), properties))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('guests as named')
            .whereRef('named.connection', '=', 'stays.connection')
            .whereRef('named.stay_code', '=', 'stays.stay_code')
            .where((where) =>
              where.or([where('named.id_number', 'is not', null), where('named.id_images', 'is not', null)]),
            )
            .select(sql.lit(1).as('found')),
        ),
      ),
    )
    .select('stay_code')
    .orderBy('check_in_date')
    .orderBy('stay_code'),
);

/** Stays that are over, or came to nothing, and of whose deposit something is still owed to the guest. */
const undeposited = preparedByArguments(
  (db: MirrorDb, { connection, today, properties }: Asked & { today: PlainDate }) =>
    db
      .selectFrom('stays')
      .where('connection', '=', connection)
      .where(sql<boolean>`deposit_pending_refund_minor > 0 and deleted_at is null`)
      .where((where) =>
        where.or([
          where('check_out_date', '<=', today),
          where('status', 'in', [sql.lit('cancelled'), sql.lit('denied'), sql.lit('timeout')]),
        ]),
      )
      .where((where) => ofProperties(where.ref('property_id'), properties))
      .select('stay_code')
      .orderBy('check_out_date')
      .orderBy('stay_code'),
);

const staysWith = preparedByArguments((db: MirrorDb, { connection, codes }: { connection: string; codes: string[] }) =>
  shownStays(db, connection)
    .where((where) => inList(where.ref('stays.stay_code'), codes))
    .select(['stays.status', 'stays.total_rate_minor', 'stays.deposit_currency', 'stays.deposit_paid_minor'])
    .select(['stays.deposit_deducted_minor', 'stays.deposit_refunded_minor', 'stays.deposit_pending_refund_minor']),
);

/** A stay that waits for a person. */
export type WaitingStay = Awaited<ReturnType<typeof staysWith>>[number];

interface AskedToday extends Asked {
  today: PlainDate;
}

/** Reads the codes of what waits, the most urgent first. */
async function codesOf(
  db: MirrorDb,
  { connection, properties, today }: AskedToday,
  wait: Wait,
): Promise<{ stay_code: string }[]> {
  const asked = { connection, ...(properties && { properties: [...properties] }) };
  switch (wait) {
    case 'requests':
      return requested(db, asked);
    case 'box':
      return unplaced(db, asked);
    case 'identity':
      return unidentified(db, { ...asked, today, until: addDays(today, IDENTITY_DAYS) });
    case 'deposits':
      return undeposited(db, { ...asked, today });
  }
}

/** Reads what waits for a person, the most urgent first, up to {@link MOST_ROWS}. */
export async function readWaiting(db: MirrorDb, asked: AskedToday, wait: Wait): Promise<WaitingStay[]> {
  const codes = (await codesOf(db, asked, wait)).slice(0, MOST_ROWS).map(({ stay_code }) => stay_code);
  const place = new Map(codes.map((code, index) => [code, index]));
  const rows = await staysWith(db, { connection: asked.connection, codes });
  return rows.toSorted((a, b) => (place.get(a.stay_code) ?? 0) - (place.get(b.stay_code) ?? 0));
}

/** Counts what waits. */
export async function countWaiting(db: MirrorDb, asked: AskedToday): Promise<Record<Wait, number>> {
  const counts: Record<Wait, number> = { requests: 0, box: 0, identity: 0, deposits: 0 };
  for (const wait of waits) counts[wait] = (await codesOf(db, asked, wait)).length;
  return counts;
}
