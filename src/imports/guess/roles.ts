import { isCurrency } from '../../kernel/money.ts';
import { areDates } from './dates.ts';
import { numberFormatOf } from './numbers.ts';
import type { Column, Sample } from './sample.ts';
import { namesOfRole, tidy, type Role } from './words.ts';

export type Roles = Partial<Record<Role, Column>>;

/** Shortest part of a name that identifies a role. Shorter words occur in too many names. */
const SHORTEST_PART = 5;
const MOST_STATES = 25;

/**
 * Finds the role of each column by its name and its cells. It tries complete names first, then parts of names, so that
 * a role does not take a column that is named after another.
 */
export function findRoles(sample: Sample): Roles {
  const roles: Roles = {};
  const taken = new Set<Column>();
  const take = (role: Role, column: Column | undefined) => {
    if (!column) return;
    roles[role] = column;
    taken.add(column);
  };
  const free = () => sample.columns.filter((column) => column.name !== '' && !taken.has(column));
  for (const role of roleNames) take(role, byWholeName(role, free(), sample));
  for (const role of roleNames) {
    if (!roles[role] && !isCovered(role, roles)) take(role, byPartOfName(role, free(), sample));
  }
  return roles;
}

const roleNames = Object.keys(namesOfRole) as Role[];

function byWholeName(role: Role, columns: readonly Column[], sample: Sample): Column | undefined {
  for (const name of namesOfRole[role]) {
    const found = columns.find((column) => tidy(column.name) === name && looksLike(role, column, sample));
    if (found) return found;
  }
  return undefined;
}

function byPartOfName(role: Role, columns: readonly Column[], sample: Sample): Column | undefined {
  // `guest` and `customer` occur in many names without a guest's name, such as a customer type.
  const isTelling = (name: string) => name.length >= SHORTEST_PART && (role !== 'guest_name' || name.includes(' '));
  const parts = namesOfRole[role].filter(isTelling);
  for (const part of parts.toSorted((a, b) => b.length - a.length)) {
    const found = columns.find((column) => {
      return (
        ` ${tidy(column.name)} `.includes(` ${part} `) && column.values.length > 0 && looksLike(role, column, sample)
      );
    });
    if (found) return found;
  }
  return undefined;
}

/** Returns true for roles that another one answers already. */
function isCovered(role: Role, roles: Roles): boolean {
  // A partial match means only a part of the nights; nightParts adds them up.
  if (role === 'nights') return true;
  if (role === 'total_amount') return roles.price_per_night !== undefined;
  // A partial match proves too little: rooms have numbers and types as well.
  if (role === 'rooms') return true;
  if (role === 'price_per_night') return roles.total_amount !== undefined;
  if (role === 'is_cancelled') return roles.status !== undefined;
  if (role === 'property_group') return roles.property !== undefined;
  if (role === 'property') return roles.property_group !== undefined;
  if (role === 'first_name' || role === 'last_name') return roles.guest_name !== undefined;
  return false;
}

const looks: Readonly<Record<Role, (values: readonly string[], rows: number) => boolean>> = {
  key: (values, rows) => values.length === rows && new Set(values).size === rows,
  property: isText,
  property_group: isText,
  check_in_date: areDates,
  check_out_date: areDates,
  nights: areCounts,
  status: (values) => isText(values) && new Set(values).size <= MOST_STATES,
  is_cancelled: (values) => values.every((value) => yesOrNo.has(value.toLowerCase())),
  booked_at: areDates,
  lead_time: areCounts,
  cancelled_at: areDates,
  guest_name: (values) => isText(values) && (values.length < 20 || new Set(values).size > values.length * 0.3),
  first_name: isText,
  last_name: isText,
  email: (values) => values.every((value) => value.includes('@')),
  phone: (values) => values.every((value) => /\d{3}/.test(value)),
  country: isText,
  adults: areCounts,
  children: areCounts,
  infants: areCounts,
  guests: areCounts,
  currency: (values) => values.every((value) => isCurrency(value.toUpperCase())),
  total_amount: areAmounts,
  price_per_night: areAmounts,
  commission: areAmounts,
  payout: areAmounts,
  rooms: (values) => values.length > 0 && areCounts(values),
  channel: isText,
  note: isText,
};

/** Words for cancelled or not, with their meaning. */
export const yesOrNo: ReadonlyMap<string, boolean> = new Map([
  ...['1', 'true', 'yes', 'y', 'ja', 'oui', 'si', 'sí', 'x'].map((word) => [word, true] as const),
  ...['0', 'false', 'no', 'n', 'nein', 'non', 'nee'].map((word) => [word, false] as const),
]);

function looksLike(role: Role, { values }: Column, sample: Sample): boolean {
  return looks[role](values, sample.rows.length);
}

function isText(values: readonly string[]): boolean {
  return values.length === 0 || !(areCounts(values) || areDates(values));
}

function areCounts(values: readonly string[]): boolean {
  return values.every((value) => /^\d{1,6}(?:[.,]0+)?$/.test(value));
}

function areAmounts(values: readonly string[]): boolean {
  return numberFormatOf(values) !== undefined;
}
