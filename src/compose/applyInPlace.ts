import { isDeepStrictEqual } from 'node:util';
import type { Service } from '../compose.ts';
import type { Config } from '../config.ts';
import type { AppliedConnections } from './mirror/applied.ts';

/**
 * Lets a running service take new settings without a restart, if they differ in their connections alone.
 * @returns undefined if other settings differ, too: then nothing has changed
 * @throws OperatorError with the fault of a connection; then nothing has changed
 */
export async function applyInPlace(
  service: Pick<Service, 'applyConnections'>,
  before: Config,
  next: Config,
): Promise<AppliedConnections | undefined> {
  const rest = ({ connections: _, ...others }: Config) => others;
  return isDeepStrictEqual(rest(before), rest(next)) ? service.applyConnections(next) : undefined;
}

/** Says in one line what has changed; for a person at the terminal. */
export function appliedText({ added, removed, changed, failed }: AppliedConnections): string {
  const parts = [
    ...(added.length > 0 ? [`begun: ${added.join(', ')}`] : []),
    ...(changed.length > 0 ? [`begun again: ${changed.join(', ')}`] : []),
    ...(removed.length > 0 ? [`ended: ${removed.join(', ')}`] : []),
    ...failed.map(({ connection, problem }) => `${connection} could not begin: ${problem}`),
  ];
  return parts.length === 0 ? 'the settings are the same as before' : `connections ${parts.join('; ')}`;
}
