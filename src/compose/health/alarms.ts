import { join } from 'node:path';
import type { Config } from '../../config.ts';
import type { Trouble } from '../../sync/connection/troubles/trouble.ts';
import type { Finding } from '../doctor/finding.ts';
import { lookAtSpace, lookAtWal } from '../doctor/machine.ts';
import type { Refusals } from './refusals.ts';

/** What a person must look after before long. */
export interface Alarm {
  alarm: string;
  says: string;
  remedy: string | null;
}

/** What is wrong at this moment with the disk that everything rests on, as far as one look at it tells. */
export function alarmsOf(config: Config, refusals: Refusals): Alarm[] {
  const refused = refusals.now().map(({ half, since, problem }) => ({
    alarm: 'nothing is stored',
    says: `${half}.db takes nothing in since ${since}: ${problem}`,
    remedy: 'make room on its disk; nothing else is needed',
  }));
  const files = config.database_url === null ? ['core.db', 'mirror.db'] : [];
  const looks = [
    () => lookAtSpace(config.data_dir),
    ...files.map((name) => () => lookAtWal(join(config.data_dir, name))),
  ];
  return [...refused, ...looks.flatMap(problemOf)];
}

/** What sounds of the connections. */
export function connectionAlarms(connection: string, troubles: readonly Trouble[]): Alarm[] {
  return troubles
    .filter(({ level }) => level === 'alarm')
    .map(({ about, says, remedy }) => ({ alarm: `${about} of ${connection}`, says, remedy }));
}

/** A folder that cannot be looked at is told of by everything else. */
function problemOf(look: () => Finding): Alarm[] {
  try {
    const { check, state, says, remedy } = look();
    return state === 'problem' ? [{ alarm: check, says, remedy }] : [];
  } catch {
    return [];
  }
}
