import { instantOf, type PlainDate, withOffset } from '../../../kernel/dates.ts';
import { csvCell, csvLine } from '../../../kernel/csvText.ts';
import { noteDown } from '../../audit/record.ts';
import type { Core } from '../../context.ts';
import { requireReservation, type Who } from '../link.ts';
import { staysWithPlaces } from '../table.ts';
import { type RegistrationField, registrationFields } from './fieldNames.ts';
import type { Registration } from './fields.ts';
import { openRegistration } from './secrets.ts';
import { registrationsOf } from './table.ts';

/** What one guest has registered, with the stay that it is for. */
export interface ShownRegistration extends Registration {
  readonly id: string;
  readonly stay_code: string;
  readonly property: string | null;
  readonly check_in_date: PlainDate;
  readonly check_out_date: PlainDate;
  readonly registered_at: string;
}

/** What the guests of a reservation have registered. */
export interface ShownRegistrations {
  readonly reservation_code: string;
  readonly registrations: readonly ShownRegistration[];
}

/**
 * Returns what the guests of a reservation have registered. The record of actions notes who read it, whatever was found.
 * @throws ApiError 404 for a code of no reservation
 */
export async function readRegistrations(core: Core, who: Who, code: string): Promise<ShownRegistrations> {
  const found = await openRegistrations(core, who, code);
  await noteDown(core, who, { action: 'read guest registrations', subject: found.reservation_code, ...countIn(found) });
  return found;
}

function countIn({ registrations }: ShownRegistrations) {
  return { values: { after: { guests: registrations.length } } };
}

async function openRegistrations(core: Core, who: Who, code: string): Promise<ShownRegistrations> {
  const { db } = core.store;
  const { account_id, time_zone } = who.account;
  const reservation = await requireReservation(db, who, code);
  const stays = await staysWithPlaces(db, account_id, reservation);
  const rows = await registrationsOf(
    db,
    account_id,
    stays.map(({ id }) => id),
  );
  const registrations = rows.flatMap((row) => {
    const stay = stays.find(({ id }) => id === row.stay_id);
    if (!stay) return [];
    return [
      {
        id: row.id,
        stay_code: stay.stay_code,
        property: stay.name,
        check_in_date: stay.check_in_date,
        check_out_date: stay.check_out_date,
        registered_at: withOffset(row.registered_at, time_zone),
        ...openRegistration(core, row),
      },
    ];
  });
  return { reservation_code: reservation, registrations };
}

const STAY_COLUMNS = ['stay_code', 'property', 'check_in_date', 'check_out_date'] as const;
const COLUMNS = [...STAY_COLUMNS, ...registrationFields, 'registered_at'] as const satisfies readonly (
  | keyof ShownRegistration
  | RegistrationField
)[];

/** Returns what the guests of a reservation have registered as a CSV file, in which no cell is a formula. */
export async function registrationsCsv(core: Core, who: Who, code: string): Promise<{ name: string; csv: string }> {
  const found = await openRegistrations(core, who, code);
  const subject = found.reservation_code;
  await noteDown(core, who, { action: 'download guest registrations', subject, ...countIn(found) });
  const rows = found.registrations.map((row) => csvLine(COLUMNS.map((column) => csvCell(row[column] ?? null))));
  const day = instantOf(core.clock.now()).slice(0, 10);
  return { name: `guests-${found.reservation_code}-${day}.csv`, csv: [csvLine([...COLUMNS]), ...rows].join('') };
}
