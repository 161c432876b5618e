import type { BrokerMessage } from '../outbound/natsBroker.ts';
import type { FieldChange } from '../sync/tables/rows/diff.ts';
import type { Change } from '../sync/feed/feed.ts';
import { turnDiff } from '../sync/tables/rows/sealedValues.ts';

/** The names that stand in braces in a template of subjects. */
const NAME = /\{(connection|resource|op)\}/g;
/** Characters that separate or replace words of a subject. */
const SPECIAL = /[^\w-]/g;

/** Returns the subjects that a template can make, as a stream is told of them: `stayd.*.*.*`. */
export function subjectsOf(template: string): string[] {
  return [
    template
      .split('.')
      .map((word) => (word.includes('{') ? '*' : word))
      .join('.'),
  ];
}

/** Stands in the place of an address that opens a door: a stream keeps it, and shows it to more people. */
const SECRET = '(secret)';

/**
 * Returns a change as the broker is told of it, with the fields of `GET /mirror/changes`. Addresses that are secrets are left out.
 * @param mostBytes of a body; a longer one leaves out the diff and says so
 */
export function messageOf(change: Change, template: string, mostBytes: number): BrokerMessage {
  const { connection, seq, at } = change;
  const subject = template.replaceAll(NAME, (_, name: 'connection' | 'resource' | 'op') =>
    change[name].replaceAll(SPECIAL, '_'),
  );
  const open = { ...change, diff: withoutSecrets(change) };
  const whole = JSON.stringify(open);
  const body =
    Buffer.byteLength(whole) <= mostBytes ? whole : JSON.stringify({ ...open, diff: null, diff_left_out: true });
  // A restored mirror may give a number to another change; its time tells them apart.
  return { subject, id: `${connection}:${seq}:${at}`, body };
}

function withoutSecrets(change: Change): string | null {
  if (change.diff === null) return null;
  return JSON.stringify(turnDiff(change, JSON.parse(change.diff) as FieldChange[], () => SECRET));
}
