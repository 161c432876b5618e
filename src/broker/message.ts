import type { BrokerMessage } from '../outbound/natsBroker.ts';
import type { Change } from '../sync/feed/feed.ts';

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

/**
 * Returns a change as the broker is told of it, with the fields of `GET /mirror/changes`.
 * @param mostBytes of a body; a longer one leaves out the diff and says so
 */
export function messageOf(change: Change, template: string, mostBytes: number): BrokerMessage {
  const { connection, seq, at } = change;
  const subject = template.replaceAll(NAME, (_, name: 'connection' | 'resource' | 'op') =>
    change[name].replaceAll(SPECIAL, '_'),
  );
  const whole = JSON.stringify(change);
  const body =
    Buffer.byteLength(whole) <= mostBytes ? whole : JSON.stringify({ ...change, diff: null, diff_left_out: true });
  // A restored mirror may give a number to another change; its time tells them apart.
  return { subject, id: `${connection}:${seq}:${at}`, body };
}
