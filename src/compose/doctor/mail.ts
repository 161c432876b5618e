import { type MailTrouble, mailTroubles } from '../../channels/mail/health.ts';
import type { Config } from '../../config.ts';
import type { Clock } from '../../kernel/clock.ts';
import { readRows } from '../../store/queries/readRows.ts';
import { locationOf } from '../stores/stores.ts';
import { type Finding, note, ok, problem } from './finding.ts';

/** Kinds of trouble that only time brings while the service does not run. */
const OF_A_STOP: ReadonlySet<MailTrouble['kind']> = new Set(['unread']);

/** Checks that mailboxes are read, and that what was sent has left. */
export async function lookAtMail(config: Config, clock: Clock, isRunning: boolean): Promise<Finding[]> {
  const troubles = await readRows(locationOf(config, 'core'), (db) => mailTroubles(db, clock.now()));
  if (troubles.length === 0) return [ok('mail', 'each mailbox is read, and nothing waits for a look')];
  return troubles.map(({ kind, says, remedy }) =>
    isRunning || !OF_A_STOP.has(kind) ? problem('mail', says, remedy) : note('mail', says, remedy),
  );
}
