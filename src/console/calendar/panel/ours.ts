import type { Visit } from '../../visit.ts';

/** Returns true where blocks can have a reason and a stay can move in one step: other deployments have no word for it. */
export function hasReasons({ isHere }: Visit): boolean {
  return isHere;
}
