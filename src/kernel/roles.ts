/**
 * What a person does for the account. The console's table of rights says which pages and actions each role has: `owner`
 * is the main account, `manager` runs the rentals, `staff` works at the reception, `bookkeeper` keeps the books, `cleaner`
 * does the tasks, and `read_only` looks.
 */
export const ROLES = ['owner', 'manager', 'staff', 'bookkeeper', 'cleaner', 'read_only'] as const;
export type Role = (typeof ROLES)[number];

/** Returns true for a role that may use the management API with a session; the others have the console's pages alone. */
export function managesByApi(role: Role): boolean {
  return role === 'owner' || role === 'manager';
}
