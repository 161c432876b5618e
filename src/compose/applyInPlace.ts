import { isDeepStrictEqual } from 'node:util';
import type { Service } from '../compose.ts';
import type { Config } from '../config.ts';
import type { LogLevels } from '../kernel/log.ts';
import type { Applied } from './mirror/applied.ts';

/**
 * Lets a running service take new settings without a restart, if they differ in their connections and the levels of the
 * log alone.
 * @returns undefined if other settings differ, too: then nothing has changed
 * @throws OperatorError with the fault of a connection; then nothing has changed
 */
export async function applyInPlace(
  service: Pick<Service, 'applyConnections'>,
  before: Config,
  next: Config,
  levels?: LogLevels,
): Promise<Applied | undefined> {
  const rest = ({ connections: _, log_level: __, ...others }: Config) => others;
  if (!isDeepStrictEqual(rest(before), rest(next))) return undefined;
  const applied = await service.applyConnections(next);
  if (next.log_level === before.log_level) return applied;
  levels?.set(next.log_level);
  return { ...applied, logLevel: next.log_level };
}

/** Says in one line what has changed; for a person at the terminal. */
export function appliedText({ added, removed, changed, failed, logLevel }: Applied): string {
  const parts = [
    ...(added.length > 0 ? [`begun: ${added.join(', ')}`] : []),
    ...(changed.length > 0 ? [`begun again: ${changed.join(', ')}`] : []),
    ...(removed.length > 0 ? [`ended: ${removed.join(', ')}`] : []),
    ...failed.map(({ connection, problem }) => `${connection} could not begin: ${problem}`),
  ];
  const texts = [
    ...(parts.length === 0 ? [] : [`connections ${parts.join('; ')}`]),
    ...(logLevel === undefined ? [] : [`the log writes ${logLevel} from now on`]),
  ];
  return texts.length === 0 ? 'the settings are the same as before' : texts.join('; ');
}
