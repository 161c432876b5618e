import { decimalText } from '../kernel/money.ts';
import { grouped, table } from './output.ts';

interface Report {
  from: string;
  to: string;
  entries: number;
  states: { posted: number; ignored: number; unmapped: number; pending: number };
  reasons: { state: string; reason: string; count: number; example: string }[];
  exceptions: { kind: string; about: string; problem: string }[];
  exceptionCount: number;
  control: { currency: string; debit: string }[];
  unconfirmed: Confirmed;
}

/** Entries of locked months that changed settings correct. */
export interface Confirmed {
  count: number;
  entries: { id: string; date: string; description: string }[];
}

/** The answer of the service after an export run. */
export interface Ran {
  run_id: string;
  job: string;
  state: string;
  batch: string | null;
  target: string;
  files: { name: string; bytes: number; sha256: string }[];
  report: Report;
  nothing: boolean;
  problem: string | null;
  finished: { run_id: string; state: string; entries: number }[];
}

/** Jobs, periods and latest runs of the books. */
export interface Listed {
  jobs: {
    job: string;
    mode: string;
    what: string;
    schedule: string | null;
    next_at: string | null;
    problem: string | null;
    target: string | null;
    last_run: { state: string; at: string } | null;
  }[];
  periods: { period: string; state: string; entries: number; digest: string }[];
  runs: {
    run_id: string;
    job: string;
    from: string;
    to: string;
    state: string;
    entries: number;
    problem: string | null;
  }[];
}

/** Items, methods, deposits and accounts with no complete mapping, and the settings proposed for them. */
export interface Mapped {
  items: { direction: string; id: number; name: string; entries: number; proposed: string }[];
  methods: { direction: string; id: number; name: string; entries: number; proposed: string }[];
  deposits: { channel: string; stays: number }[];
  accounts: {
    account: string;
    type: string;
    title: string;
    jobs: string[];
    code: string | null;
    name: string | null;
  }[];
  proposal: string;
}

/** Months that a call closed, with the hash of each, and remarks for a person. */
export interface Closed {
  closed: { period: string; state: string; entries: number; digest: string }[];
  remarks: string[];
}

/** The verification of sealed periods against their hashes. */
export interface Verified {
  clean: boolean;
  periods: { period: string; entries: number; digest: string; problem: string | null }[];
  books: Report;
  differs: boolean;
}

/** The result of posting to the journal. */
export interface Kept {
  through: string;
  entries: number;
  changed: number;
  exceptions: number;
}

/** Characters of a hash that suffice to distinguish two hashes on a screen. */
const HASH_SHOWN = 16;

/** Formats an export run, after the interrupted runs that it finished first. */
export function runText(ran: Ran): string {
  const { report } = ran;
  const before = ran.finished.map(
    (one) => `${ran.job}: run ${one.run_id} of before had been cut off; ${entries(one.entries)}, now ${one.state}`,
  );
  if (ran.nothing) return [...before, `${ran.job}: nothing new to deliver`].join('\n');
  return [
    ...before,
    `${ran.job}: ${entries(report.entries)} of ${report.from} to ${report.to}, ${ran.state}`,
    ...report.control.map(({ currency, debit }) => `  debit = credit = ${amount(debit, currency)} ${currency}`),
    `  sources: ${stateText(report)}`,
    ...reasonLines(report),
    ...exceptionLines(report),
    ...mapHelp(report),
    ...(ran.problem === null ? [] : [`  ${ran.problem}`]),
    ...(ran.state === 'unknown' ? [`  ${unknownHelp(ran.run_id)}`] : []),
    `  batch ${ran.batch}, run ${ran.run_id}, to ${ran.target}`,
    ...ran.files.map(({ name, bytes }) => `    ${name}  ${grouped(bytes)} bytes`),
  ].join('\n');
}

function unknownHelp(run: string): string {
  return `the next run sends what is left, under the same ids; if all has arrived: ./stayd export ack ${run}`;
}

/** Formats jobs, periods and runs as tables. */
export function listText({ jobs, periods, runs }: Listed): string {
  const jobRows = jobs.map((one) => [
    one.job,
    one.mode,
    one.next_at ?? one.schedule ?? '-',
    one.last_run ? `${one.last_run.at} ${one.last_run.state}` : '-',
    one.target ?? 'data_dir/exports',
    one.what,
  ]);
  const failing = jobs.flatMap(({ job, problem }) =>
    problem === null ? [] : [`${job} failed at its time: ${problem}`],
  );
  const parts = [table(['job', 'mode', 'next run', 'last run', 'goes to', 'what'], jobRows)];
  if (failing.length > 0) parts.push(failing.join('\n'));
  if (periods.length > 0) {
    const rows = periods.map((one) => [one.period, one.state, grouped(one.entries), one.digest.slice(0, HASH_SHOWN)]);
    parts.push(table(['month', 'state', 'entries', 'digest'], rows));
  }
  if (runs.length > 0) {
    const rows = runs.map((one) => [
      one.run_id,
      one.job,
      one.from,
      one.to,
      one.state,
      grouped(one.entries),
      one.problem,
    ]);
    parts.push(table(['run', 'job', 'from', 'to', 'state', 'entries', 'problem'], rows));
  }
  return parts.join('\n\n');
}

/** Formats the missing mappings as tables with the proposed settings. */
export function mapText({ items, methods, deposits, accounts, proposal }: Mapped): string {
  if (proposal === '') return 'everything has its place';
  const used = [
    ...items.map((one) => ['item', one.direction, one.id, one.name, grouped(one.entries), one.proposed]),
    ...methods.map((one) => ['method', one.direction, one.id, one.name, grouped(one.entries), one.proposed]),
    ...accounts.map((one) => [
      'account',
      one.type,
      '',
      one.account,
      `by ${one.jobs.join(', ')}`,
      [one.code && `code ${one.code}`, one.name].filter(Boolean).join(', '),
    ]),
    ...deposits.map((one) => ['deposits', '', '', one.channel, grouped(one.stays), 'charge or hold?']),
  ];
  return [
    table(['what', 'direction', 'id', 'name', 'used', 'proposed'], used),
    '',
    'Lines for the file of STAYD_CONFIG. They are guesses by name: check each.',
    '',
    proposal,
  ].join('\n');
}

/** Formats the closed months. */
export function closedText({ closed, remarks }: Closed): string {
  const rows = closed.map((one) => [one.period, one.state, grouped(one.entries), one.digest.slice(0, HASH_SHOWN)]);
  const looked = remarks.length === 0 ? [] : ['', 'To be looked at:', ...remarks.map((remark) => `  - ${remark}`)];
  return [table(['month', 'state', 'entries', 'digest'], rows), ...looked].join('\n');
}

/** Formats the verification of the sealed periods. */
export function verifyText({ clean, periods, books, differs }: Verified): string {
  const rows = periods.map((one) => [
    one.period,
    grouped(one.entries),
    one.digest.slice(0, HASH_SHOWN),
    one.problem ?? 'as sealed',
  ]);
  return [
    ...(rows.length > 0 ? [table(['month', 'entries', 'digest', ''], rows)] : ['no month is locked']),
    `sources: ${stateText(books)}`,
    ...reasonLines(books),
    ...exceptionLines(books),
    ...unconfirmedLines(books.unconfirmed),
    ...mapHelp(books),
    ...(differs ? ['the stored books are not what the mirror gives: ./stayd export book stores them again'] : []),
    clean ? 'the books hold' : 'the books do not hold: see above what is to be looked at',
  ].join('\n');
}

/** Formats the result of posting to the journal. */
export function keptText({ through, entries: all, changed, exceptions }: Kept): string {
  const looked = exceptions === 0 ? '' : `; ${grouped(exceptions)} to be looked at: ./stayd report exceptions`;
  return `booked through ${through}: ${entries(all)}, ${grouped(changed)} changed${looked}`;
}

function entries(count: number): string {
  return `${grouped(count)} ${count === 1 ? 'entry' : 'entries'}`;
}

function stateText({ states: { posted, ignored, unmapped, pending } }: Report): string {
  return [
    `${grouped(posted)} posted`,
    `${grouped(ignored)} ignored`,
    `${grouped(unmapped)} unmapped`,
    `${grouped(pending)} pending`,
  ].join(', ');
}

function reasonLines({ reasons }: Report): string[] {
  return reasons.map(
    ({ state, reason, count, example }) => `    ${state}: ${reason} (${grouped(count)}, such as ${example})`,
  );
}

/** Points to `stayd export map` if more settings would resolve open sources. */
function mapHelp({ states, exceptions }: Report): string[] {
  const isUnsaid = states.unmapped > 0 || exceptions.some(({ kind }) => kind === 'deposit_unexplained');
  return isUnsaid ? ['  ./stayd export map proposes lines for what nobody has said'] : [];
}

const MOST_SHOWN = 10;

/** Formats the entries of locked months that the confirmed settings correct. */
export function confirmedText({ count, entries: named }: Confirmed): string {
  if (count === 0) return 'the settings change nothing in locked months';
  return [
    `locked months are corrected from now on, on the first open day: ${entries(count)}`,
    ...entryLines(count, named),
  ].join('\n');
}

function unconfirmedLines({ count, entries: named }: Confirmed): string[] {
  if (count === 0) return [];
  return [
    `  settings or newer rules that nobody has confirmed would correct ${entries(count)} of locked months:`,
    ...entryLines(count, named),
    '  ./stayd export confirm-settings lets them',
  ];
}

function entryLines(count: number, named: Confirmed['entries']): string[] {
  const shown = named.slice(0, MOST_SHOWN).map(({ id, date, description }) => `    ${id} of ${date}: ${description}`);
  const rest = count - shown.length;
  return [...shown, ...(rest > 0 ? [`    and ${grouped(rest)} more; --json names them`] : [])];
}

function exceptionLines({ exceptions, exceptionCount }: Report): string[] {
  if (exceptionCount === 0) return [];
  const shown = exceptions.slice(0, MOST_SHOWN).map(({ about, problem }) => `    ${about}: ${problem}`);
  const rest = exceptionCount - shown.length;
  return ['  to be looked at:', ...shown, ...(rest > 0 ? [`    and ${grouped(rest)} more; --json has them`] : [])];
}

/** Formats minor units from text, because sums of a long journal exceed the integers that a number holds exactly. */
function amount(minor: string, currency: string): string {
  const value = Number(minor);
  return Number.isSafeInteger(value) ? decimalText(value, currency) : `${minor} minor units of`;
}
