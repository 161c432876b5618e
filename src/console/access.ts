import type { Role } from '../kernel/roles.ts';

export type { Role } from '../kernel/roles.ts';

const front: readonly Role[] = ['owner', 'manager', 'staff'];
const lookers: readonly Role[] = [...front, 'read_only'];
const books: readonly Role[] = ['owner', 'bookkeeper'];
const owner: readonly Role[] = ['owner'];

/** One row of the table of rights. */
interface Row {
  readonly roles: readonly Role[];
  /** True where only those may who see all properties, because the page or the action concerns the whole account. */
  readonly whole?: true;
  /** True if it changes something where the connection's data is, so that the connection's token must be writable. */
  readonly writes?: true;
}

/**
 * Who may what: each page, and each action on it that changes something. A page of a stay or a list shows the properties
 * of the person alone. `persons` is no page: it is the right to see names and addresses of guests.
 */
const RIGHTS = {
  today: { roles: lookers },
  persons: { roles: [...front, 'bookkeeper'] },
  calendar: { roles: lookers },
  'calendar.block': { roles: front, writes: true },
  'calendar.price': { roles: ['owner', 'manager'], writes: true },
  'calendar.move': { roles: front, writes: true },
  inbox: { roles: front },
  'inbox.send': { roles: front, writes: true },
  stay: { roles: [...lookers, 'bookkeeper'] },
  'stay.book': { roles: front, writes: true },
  'stay.change': { roles: front, writes: true },
  'stay.answer': { roles: front, writes: true },
  'stay.cancel': { roles: ['owner', 'manager'], writes: true },
  'stay.money': { roles: [...front, 'bookkeeper'], writes: true },
  tasks: { roles: [...lookers, 'cleaner'] },
  'tasks.do': { roles: [...front, 'cleaner'], writes: true },
  'tasks.plan': { roles: front, writes: true },
  money: { roles: books, whole: true },
  'money.close': { roles: books, whole: true },
  reports: { roles: ['owner', 'bookkeeper', 'read_only'], whole: true },
  rules: { roles: owner, whole: true },
  'rules.change': { roles: owner, whole: true },
  health: { roles: owner, whole: true },
  setup: { roles: owner, whole: true },
  brand: { roles: owner, whole: true },
  people: { roles: owner, whole: true },
  record: { roles: owner, whole: true },
  search: { roles: [...lookers, 'bookkeeper'] },
  /** One's own password, second factor and sessions. */
  me: { roles: ['owner', 'manager', 'staff', 'bookkeeper', 'cleaner', 'read_only'] },
} as const satisfies Readonly<Record<string, Row>>;

/** A page, or an action on one. */
export type Right = keyof typeof RIGHTS;

/** The rows of the table, for pages and tests that show it. */
export const rights: Readonly<Record<Right, Row>> = RIGHTS;

/** The part of a person that decides. */
interface Holder {
  readonly role: Role;
  /** Ids of the properties that the person sees; null: all. */
  readonly properties: readonly number[] | null;
}

export function may({ role, properties }: Holder, right: Right): boolean {
  const { roles, whole } = rights[right];
  return roles.includes(role) && (whole !== true || properties === null);
}
