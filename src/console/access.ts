/** What a person is to the account. */
export const ROLES = ['owner', 'manager'] as const;
export type Role = (typeof ROLES)[number];

/** Every page, and what can be done on it beside looking. */
export type Right = 'today' | 'calendar' | 'health';

/**
 * Who may do what. `manager` is a sub-account: it sees the reservations of its own properties, and nothing of how the
 * service is.
 */
const RIGHTS: Readonly<Record<Right, readonly Role[]>> = {
  today: ['owner', 'manager'],
  calendar: ['owner', 'manager'],
  health: ['owner'],
};

export function may(role: Role, right: Right): boolean {
  return RIGHTS[right].includes(role);
}
