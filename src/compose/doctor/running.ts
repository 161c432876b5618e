import { msOf } from '../../kernel/dates.ts';
import type { Examination } from '../../sync/connection/examine.ts';
import { afterRefusal } from './afterRefusal.ts';
import { type Finding, note, ok, problem } from './finding.ts';

/** The report of a running service about itself. */
export interface Examinations {
  settings: Readonly<Record<string, string>>;
  connections: Readonly<Record<string, Examination>>;
}

/** Returns the findings of a running connection, made with the token that it uses. */
export function lookAtExamination(connection: string, examination: Examination): Finding[] {
  const { refused, base_url: url } = examination;
  const check = `token of ${connection}`;
  if (refused) {
    // It was not asked at all.
    const [hold] = examination.holds;
    if (!refused.by_host && hold) return [note(check, `not tried: ${hold.says}`, hold.remedy)];
    const says = `${url} refuses the token that the running service uses: ${refused.says}`;
    const remedy = refused.by_host
      ? afterRefusal(refused.says)
      : 'try again in a moment; the log of the service may say more';
    return [problem(check, says, remedy)];
  }
  return [...registration(connection, examination), ...arriving(connection, examination)];
}

function registration(connection: string, { webhook }: Examination): Finding[] {
  const check = `token of ${connection}`;
  if (webhook.by_hand) return [ok(check, 'the running service reads with it; the webhook was made by hand')];
  if (webhook.url === null) {
    return [note(check, 'the running service reads with it; whether it may write was not tried', 'see the webhook')];
  }
  if (!webhook.registered) {
    return [
      problem(
        check,
        'it reads, but our webhook is not registered there',
        './stayd webhook register registers it again',
      ),
    ];
  }
  const { url } = webhook.registered;
  const findings: Finding[] = [];
  if (url !== webhook.url) {
    const says = `the source delivers our events to ${url}, we registered ${webhook.url}`;
    findings.push(problem(check, says, './stayd webhook register moves it back; find out who has changed it'));
  }
  if (webhook.unchangeable !== null) {
    const says = `it reads, but may not write: ${webhook.unchangeable}`;
    findings.push(problem(check, says, 'give the connection a writable token, and start stayd again'));
  }
  return findings.length > 0 ? findings : [ok(check, 'it reads and writes, and our webhook is registered')];
}

/** Compares the subscribed events with the received ones. */
function arriving(connection: string, { webhook, events }: Examination): Finding[] {
  const check = `events of ${connection}`;
  if (webhook.url === null && !webhook.by_hand) return [];
  const last = events.newest_at === null ? 'none has ever come' : `the newest came at ${events.newest_at}`;
  const registered = webhook.registered ? `registered since ${webhook.registered.created_at}, and ` : '';
  const remedy = `find out there why deliveries to ${webhook.url ?? 'our webhook'} fail. Where the source is a stayd, its ./stayd doctor says how; an address in a private network is allowed by STAYD_OUTBOUND_ALLOW there`;
  const isSilent =
    events.untold_since !== null && (events.newest_at === null || msOf(events.newest_at) < msOf(events.untold_since));
  if (isSilent) {
    const what = `${events.untold} of the newest bookings of the source are not in the mirror`;
    return [problem(check, `the source does not deliver: ${registered}${last}; ${what}`, remedy)];
  }
  if (events.missed > 0) {
    const what = `reads have since found ${events.missed === 1 ? 'a change whose event' : `${events.missed} changes whose events`} never came`;
    return [problem(check, `the source does not deliver: ${registered}${last}; ${what}`, remedy)];
  }
  return events.newest_at === null
    ? [note(check, `${registered}none has come yet; no change is known that should have been announced`)]
    : [ok(check, `${last}, and no change is known that was not announced`)];
}
