import { join } from 'node:path';
import type { DirectTrouble } from '../../channels/direct/health.ts';
import type { FeedTrouble } from '../../channels/feeds/health.ts';
import type { MailTrouble } from '../../channels/mail/health.ts';
import type { Config } from '../../config.ts';
import type { Trouble } from '../../sync/connection/troubles/trouble.ts';
import type { Finding } from '../doctor/finding.ts';
import { lookAtSpace, lookAtWal } from '../doctor/machine.ts';
import type { Refusals } from './refusals.ts';

/** A problem that needs a person soon. */
export interface Alarm {
  alarm: string;
  says: string;
  remedy: string | null;
}

/** Returns the current problems of the disk, as far as one check shows them. */
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

/** Returns the alarms among the troubles of a connection. */
export function connectionAlarms(connection: string, troubles: readonly Trouble[]): Alarm[] {
  return troubles
    .filter(({ level }) => level === 'alarm')
    .map(({ about, says, remedy }) => ({ alarm: `${about} of ${connection}`, says, remedy }));
}

/** Returns the alarms of calendar feeds. */
export function feedAlarms(troubles: readonly FeedTrouble[]): Alarm[] {
  return troubles.map(({ feedId, says, remedy }) => ({ alarm: `calendar feed ${feedId}`, says, remedy }));
}

/** Returns the alarms of money that waits for a person. */
export function directAlarms(troubles: readonly DirectTrouble[]): Alarm[] {
  return troubles.map(({ code, says, remedy }) => ({ alarm: `money of ${code}`, says, remedy }));
}

/** Returns the alarms of mailboxes. */
export function mailAlarms(troubles: readonly MailTrouble[]): Alarm[] {
  return troubles.map(({ mailboxId, says, remedy }) => ({ alarm: `mailbox ${mailboxId}`, says, remedy }));
}

/** Ignores a folder that cannot be read, because every other part reports it. */
function problemOf(look: () => Finding): Alarm[] {
  try {
    const { check, state, says, remedy } = look();
    return state === 'problem' ? [{ alarm: check, says, remedy }] : [];
  } catch {
    return [];
  }
}
