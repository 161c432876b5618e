import type { FirstContact } from '../compose/connect/firstContact.ts';
import type { Foresight } from '../compose/connect/foresee.ts';
import type { FirstRead } from './firstRead.ts';
import { counted, grouped, span, table } from './output.ts';
import type { ReconcilePlan } from './plans.ts';

/** Formats the account that answers, its dialect, and the rights of the token. */
export function contactText(url: string, { profile, account, refused, writing, unknown }: FirstContact): string {
  const whose = account.name === null ? '' : ` of ${account.name}`;
  return [
    `${url} answers, and lets this token read the account${whose}; it speaks as the profile ${profile} says`,
    ...writingLines(writing),
    ...refused.map(({ operation, says }) => `refused: ${operation}: ${says}`),
    ...(unknown.length === 0
      ? []
      : [
          `the profile does not know all that ${unknown.join(', ')} say: nothing is lost, and ./stayd profile check shows what`,
        ]),
  ].join('\n');
}

function writingLines({ allowed, says }: FirstContact['writing']): string[] {
  if (allowed === true) return ['the token may read and write'];
  if (allowed === null) return [`whether the token may write is unknown: ${says ?? 'no answer'}`];
  return [
    `the token may only read (${says ?? 'refused'}): everything is mirrored, and this is missing:`,
    '  events: stayd cannot register for them; make a webhook there by hand and give its secret as webhook_secret',
    '  automations: nobody is answered, no task is made and no price set',
  ];
}

/** Formats the cost of a full read, and the age that the mirror reaches without events. */
export function foresightText(foresight: Foresight, connection: Readonly<Record<string, unknown>>): string {
  const events =
    connection['public_url'] === undefined && !isLoopback(String(connection['url']))
      ? [
          '',
          'without --public-url that deployment cannot send events: changes are found by reading again, at these ages',
        ]
      : [];
  if ('problem' in foresight) {
    return [`what reading everything takes could not be counted: ${foresight.problem}`, ...events].join('\n');
  }
  const { first_read: read, freshness } = foresight;
  const rows = Object.entries(read.counts).map(([resource, count]) => [resource, grouped(count)]);
  return [
    '',
    rows.length === 0 ? 'there is nothing in it yet' : table(['there is', 'rows'], rows),
    '',
    `reading everything takes ${counted(read.requests, 'request')} within the limits: until ${read.finish_at}, ${span(read.seconds)}`,
    ...events,
    '',
    ...agesText(freshness),
  ].join('\n');
}

/** Formats the maximum age of each part of the mirror. */
function agesText({ tiers }: ReconcilePlan): string[] {
  const ages = [...new Set(tiers.map((one) => one.guaranteed_age))].toSorted(
    (a, b) => (a ?? Infinity) - (b ?? Infinity),
  );
  return ages.map((age) => {
    const parts = tiers.filter((one) => one.guaranteed_age === age).map((one) => one.tier);
    return `${age === null ? 'there is no room for' : `never older than ${span(age)}:`} ${parts.join(', ')}`;
  });
}

function isLoopback(url: string): boolean {
  return /^(127\.|localhost$|\[::1\]$)/.test(new URL(url).hostname);
}

/** Formats the result of the first read and the next steps. */
export function readText(name: string, { rows, requests, seconds, troubles }: FirstRead, running: boolean): string {
  const next = [
    ...(running ? [] : [['./stayd start', 'keeps the mirror as it is there, from now on']]),
    [`./stayd verify --connection ${name}`, 'compares every row with the other side'],
    [`./stayd report occupancy --connection ${name}`, 'a report of what was read'],
  ];
  const [head = '', ...lines] = table(['Next:', ''], next).split('\n');
  return [
    `everything was read once: ${counted(rows, 'row')} in ${counted(requests, 'request')} and ${span(seconds)}`,
    ...troubles.map(({ says, remedy }) => `to see to: ${says}${remedy === null ? '' : `; ${remedy}`}`),
    '',
    head,
    ...lines.map((line) => `  ${line}`),
  ].join('\n');
}
