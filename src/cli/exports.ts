import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { UsageError } from '../kernel/errors.ts';
import type { CliContext } from './context.ts';
import {
  closedText,
  type Confirmed,
  confirmedText,
  listText,
  mapText,
  type Listed,
  type Kept,
  keptText,
  runText,
  type Mapped,
  type Ran,
  type Verified,
  verifyText,
  type Closed,
} from './exportText.ts';
import { type Matched, matchText, type Undone, undoneText } from './matchText.ts';
import { type AddCommand, addsTo, type Chosen } from './options.ts';
import { counted, jsonText } from './output.ts';
import { withPortal } from './portal.ts';
import { progressDisplay } from './progress.ts';

/** Adds `stayd export`: the books, their periods, and the jobs that deliver them. */
export function exportCommands(program: Command, context: CliContext): void {
  const group = program.command('export').description('double-entry books of the mirrored ledger, and their delivery');
  const command = addsTo(group);
  listCommand(command, context);
  runCommand(command, context);
  bookCommand(command, context);
  mapCommand(command, context);
  acknowledgeCommand(command, context);
  closeCommand(command, context);
  reopenCommand(command, context);
  confirmSettingsCommand(command, context);
  matchCommand(command, context);
  verifyCommand(command, context);
}

function listCommand(command: AddCommand, context: CliContext): void {
  command('list', 'jobs, closed months and the newest runs').action(async (options: Chosen) => {
    const listed = await withPortal(context, (portal) =>
      portal.get<Listed>('/portal/exports', { connection: options.connection }),
    );
    context.out(options.json ? jsonText(listed) : listText(listed));
  });
}

function runCommand(command: AddCommand, context: CliContext): void {
  command('run', 'run a job: book, write and deliver')
    .argument('<job>', 'a job of the configuration, or a format: hledger, xlsx, jsonl, …')
    .option('--from <date>', 'first day, month or year: 2027-03-05, 2027-03 or 2027')
    .option('--to <date>', 'last day, month or year')
    .option('--out <folder>', 'write the files here instead of the target of the job')
    .option('--override <reason>', 'why months that are soft-closed may have changed')
    .action(async (job: string, options: Chosen & { from?: string; to?: string; out?: string; override?: string }) => {
      const { from, to, override, connection } = options;
      const out = options.out === undefined ? undefined : resolve(options.out);
      const ran = await long<Ran>(
        context,
        '/portal/exports/run',
        { job, from, to, out, override, connection },
        options,
      );
      context.out(options.json ? jsonText(ran) : runText(ran));
      if (ran.state === 'failed' || ran.state === 'unknown') context.exit(1);
    });
}

function bookCommand(command: AddCommand, context: CliContext): void {
  command('book', 'book everything from scratch and store it as rows, for reports').action(async (options: Chosen) => {
    const kept = await long<Kept>(context, '/portal/exports/book', { connection: options.connection }, options);
    context.out(options.json ? jsonText(kept) : keptText(kept));
  });
}

function mapCommand(command: AddCommand, context: CliContext): void {
  command('map', 'show what is not mapped yet, and propose lines for the configuration')
    .option('--for <job>', 'book from scratch, and also propose the account settings that this job or format needs')
    .action(async (options: Chosen & { for?: string }) => {
      const { connection } = options;
      const asked = { connection, for: options.for };
      const ask = () => withPortal(context, (portal) => portal.get<Mapped>('/portal/exports/map', asked));
      let mapped = await ask();
      if (options.for !== undefined) {
        // Posting comes after the first question, so that an unknown job fails at once.
        await long<Kept>(context, '/portal/exports/book', { connection }, options);
        mapped = await ask();
      }
      context.out(options.json ? jsonText(mapped) : mapText(mapped));
      if (mapped.proposal !== '') context.exit(1);
    });
}

function acknowledgeCommand(command: AddCommand, context: CliContext): void {
  command('ack', 'confirm that the delivery of a run has arrived')
    .argument('<run>', 'a run or batch, the beginning of its id, or a job for its newest run')
    .option('--failed', 'it has not arrived: deliver it again')
    .action(async (run: string, options: Chosen & { failed?: true }) => {
      const body = { run, failed: options.failed === true, connection: options.connection };
      const answer = await withPortal(context, (portal) =>
        portal.send<{ run_id: string; job: string; state: string; entries: number }>(
          'POST',
          '/portal/exports/ack',
          body,
        ),
      );
      const text = `run ${answer.run_id} of ${answer.job}: ${answer.state}, ${counted(answer.entries, 'entry').replace('entrys', 'entries')}`;
      context.out(options.json ? jsonText(answer) : text);
    });
}

function closeCommand(command: AddCommand, context: CliContext): void {
  command('close', 'close a month and all earlier ones; later changes are corrected in the next open month')
    .argument('<month>', '2027-03')
    .option('--soft', 'only ask for confirmation of later changes')
    .option('--reason <text>', 'recorded in the log')
    .action(async (period: string, options: Chosen & { soft?: true; reason?: string }) => {
      const { connection, reason } = options;
      const body = { period, soft: options.soft === true, reason, connection };
      const closed = await long<Closed>(context, '/portal/exports/close', body, options);
      context.out(options.json ? jsonText(closed) : closedText(closed));
    });
}

function reopenCommand(command: AddCommand, context: CliContext): void {
  command('reopen', 'reopen the newest closed month')
    .argument('<month>', '2027-03')
    .requiredOption('--reason <text>', 'recorded in the log')
    .action(async (period: string, options: Chosen & { reason: string }) => {
      const { connection, reason } = options;
      const answer = await withPortal(context, (portal) =>
        portal.send<{ period: string; was: string }>('POST', '/portal/exports/reopen', { period, reason, connection }),
      );
      context.out(options.json ? jsonText(answer) : `${answer.period} is open; it was ${answer.was}`);
    });
}

function confirmSettingsCommand(command: AddCommand, context: CliContext): void {
  command('confirm-settings', 'allow changed settings to correct locked months; until then no job runs')
    .option('--reason <text>', 'recorded in the log')
    .action(async ({ connection, reason, json }: Chosen & { reason?: string }) => {
      const body = { connection, reason: reason ?? null };
      const confirmed = await long<Confirmed>(context, '/portal/exports/confirm-settings', body, json ? { json } : {});
      context.out(json ? jsonText(confirmed) : confirmedText(confirmed));
    });
}

function matchCommand(command: AddCommand, context: CliContext): void {
  command('match', 'match a file of a bank or channel with the clearing accounts, and book matches as payouts')
    .argument('[file]', 'OFX, camt.053, or CSV with a mapping')
    .option('--mapping <file>', 'describes the columns of a CSV file')
    .option('--account <name...>', 'clearing accounts to match (default: all)')
    .option('--bank <name>', 'the bank account of the file (default: from the mapping, else Assets:Bank)')
    .option('--days <n>', 'maximum age in days of a posting at its payout', wholeNumber, USUAL_DAYS)
    .option('--dry-run', 'show what matches and store nothing')
    .option('--accept <lines>', 'accept the proposals for these lines of the file: 3,7 or all', acceptedLines)
    .option('--undo <payout>', 'reverse a match; ./stayd report payouts lists them with their ids')
    .option('--reason <text>', 'with --undo: the reason, stored with the payout')
    .action(async (file: string | undefined, options: Chosen & MatchOptions) => {
      if (options.undo !== undefined) return undo(context, options.undo, file, options);
      if (options.reason !== undefined) throw new UsageError('--reason goes with --undo');
      if (file === undefined) throw new UsageError('a file is missing', 'OFX, camt.053, or CSV with --mapping');
      const matched = await long<Matched>(context, '/portal/exports/match', matchBody(file, options), options);
      context.out(options.json ? jsonText(matched) : matchText(matched));
      const { unexplained, proposed, changed } = matched;
      if (unexplained.length + proposed.length + changed.length > 0) context.exit(1);
    });
}

function verifyCommand(command: AddCommand, context: CliContext): void {
  command('verify', 'recompute sealed months and check the books; exit code 1 if something is wrong').action(
    async (options: Chosen) => {
      const report = await long<Verified>(
        context,
        '/portal/exports/verify',
        { connection: options.connection },
        options,
      );
      context.out(options.json ? jsonText(report) : verifyText(report));
      if (!report.clean) context.exit(1);
    },
  );
}

interface MatchOptions {
  mapping?: string;
  account?: string[];
  bank?: string;
  days: number;
  dryRun?: true;
  accept?: number[] | 'all';
  undo?: string;
  reason?: string;
}

/** Days that cover a channel with monthly payouts, plus a holiday. */
const USUAL_DAYS = 35;

function matchBody(file: string, { mapping, account, bank, days, dryRun, accept, connection }: Chosen & MatchOptions) {
  return {
    connection,
    path: existing(file),
    mapping: mapping === undefined ? null : { text: readFileSync(existing(mapping), 'utf8'), name: mapping },
    bank: bank ?? null,
    accounts: account ?? [],
    days,
    dry_run: dryRun === true,
    accept: accept ?? [],
  };
}

async function undo(
  context: CliContext,
  payout: string,
  file: string | undefined,
  { connection, reason, dryRun, json }: Chosen & MatchOptions,
): Promise<void> {
  if (file !== undefined || dryRun) throw new UsageError('--undo takes no file and no --dry-run');
  const body = { payout, reason: reason ?? null, connection };
  const undone = await withPortal(context, (portal) => portal.send<Undone>('POST', '/portal/exports/match/undo', body));
  context.out(json ? jsonText(undone) : undoneText(undone));
}

function existing(file: string): string {
  if (!existsSync(file)) throw new UsageError(`there is no file ${file}`);
  return resolve(file);
}

function acceptedLines(text: string): number[] | 'all' {
  if (text === 'all') return 'all';
  if (!/^[1-9]\d*(,[1-9]\d*)*$/.test(text))
    throw new InvalidArgumentError('give numbers of lines, such as 3,7, or all');
  return text.split(',').map(Number);
}

function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,2}$/.test(text) || Number(text) > 400) throw new InvalidArgumentError('give 1 to 400 days');
  return Number(text);
}

function long<T>(context: CliContext, path: string, body: object, options: Chosen): Promise<T> {
  const display = progressDisplay(context, options.json === true);
  return withPortal(context, (portal) =>
    portal.run<T>(path, body, (progress) => {
      const { groups, total, entries } = progress as { groups: number; total: number; entries: number };
      display.update({ done: groups, total: Math.max(total, groups), text: `${groups} bookings, ${entries} entries` });
    }),
  ).finally(() => display.end());
}
