import { join } from 'node:path';
import type { DirectTrouble } from '../../channels/direct/health.ts';
import type { FeedTrouble } from '../../channels/feeds/health.ts';
import type { MailTrouble } from '../../channels/mail/health.ts';
import type { Config } from '../../config.ts';
import { type Trouble, TROUBLE_SUBJECTS } from '../../sync/connection/troubles/trouble.ts';
import type { Finding } from '../doctor/finding.ts';
import { lookAtSpace, lookAtWal } from '../doctor/machine.ts';
import type { Refusals } from './refusals.ts';

/** Sorts of alarms, by which rules of monitoring tell them apart; a sort may be raised for several subjects. */
export const ALARM_KINDS = [
  'storage',
  'disk_space',
  'write_ahead_log',
  'backups',
  'feed',
  'money',
  'mailbox',
  'notices',
  'comparison',
  'broker',
  ...TROUBLE_SUBJECTS,
] as const;

export type AlarmKind = (typeof ALARM_KINDS)[number];

/** A problem that needs a person soon. */
export interface Alarm {
  kind: AlarmKind;
  alarm: string;
  says: string;
  remedy: string | null;
}

/** Returns the current problems of the disk, as far as one check shows them. */
export function alarmsOf(config: Config, refusals: Refusals): Alarm[] {
  const refused = refusals.now().map(({ half, since, problem }) => ({
    kind: 'storage' as const,
    alarm: 'nothing is stored',
    says: `${half}.db takes nothing in since ${since}: ${problem}`,
    remedy: 'make room on its disk; nothing else is needed',
  }));
  const files = config.database_url === null ? ['core.db', 'mirror.db'] : [];
  const looks = [
    () => problemOf('disk_space', () => lookAtSpace(config.data_dir)),
    ...files.map((name) => () => problemOf('write_ahead_log', () => lookAtWal(join(config.data_dir, name)))),
  ];
  return [...refused, ...looks.flatMap((look) => look())];
}

/** Returns the alarms among the troubles of a connection. */
export function connectionAlarms(connection: string, troubles: readonly Trouble[]): Alarm[] {
  return troubles
    .filter(({ level }) => level === 'alarm')
    .map(({ about, says, remedy }) => ({ kind: about, alarm: `${about} of ${connection}`, says, remedy }));
}

/** Returns the alarms of calendar feeds. */
export function feedAlarms(troubles: readonly FeedTrouble[]): Alarm[] {
  return troubles.map(({ feedId, says, remedy }) => ({ kind: 'feed', alarm: `calendar feed ${feedId}`, says, remedy }));
}

/** Returns the alarms of money that waits for a person. */
export function directAlarms(troubles: readonly DirectTrouble[]): Alarm[] {
  return troubles.map(({ code, says, remedy }) => ({ kind: 'money', alarm: `money of ${code}`, says, remedy }));
}

/** Returns the alarms of mailboxes. */
export function mailAlarms(troubles: readonly MailTrouble[]): Alarm[] {
  return troubles.map(({ mailboxId, says, remedy }) => ({
    kind: 'mailbox',
    alarm: `mailbox ${mailboxId}`,
    says,
    remedy,
  }));
}

/** Ignores a folder that cannot be read, because every other part reports it. */
function problemOf(kind: AlarmKind, look: () => Finding): Alarm[] {
  try {
    const { check, state, says, remedy } = look();
    return state === 'problem' ? [{ kind, alarm: check, says, remedy }] : [];
  } catch {
    return [];
  }
}
