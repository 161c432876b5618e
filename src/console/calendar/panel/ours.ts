import type { Visit } from '../../visit.ts';

/** The connection that mirrors the core of this installation. */
const LOCAL = 'local';

/** Returns true where blocks can have a reason and a stay can move in one step: other deployments have no word for it. */
export function hasReasons({ connection }: Visit): boolean {
  return connection === LOCAL;
}
