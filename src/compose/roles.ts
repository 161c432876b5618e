import type { Config, Role } from '../config.ts';
import { UsageError } from '../kernel/errors.ts';

/** What the daemon is made of; in this version one process does all of it. */
const DAEMON: readonly Role[] = ['receive', 'work', 'schedule'];

/** Which halves run in this process. @throws UsageError for a choice that this version cannot serve */
export function halvesOf({ roles, upstream }: Config): { core: boolean; daemon: boolean } {
  const parts = DAEMON.filter((role) => roles.includes(role));
  if (parts.length > 0 && parts.length < DAEMON.length) {
    throw new UsageError(`roles: ${DAEMON.join(', ')} go together`, 'name all three, or none of them');
  }
  // What is mirrored from elsewhere has no core beside it.
  return { core: upstream.url === null && roles.includes('core'), daemon: parts.length > 0 };
}
