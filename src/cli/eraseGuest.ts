import { type Command, InvalidArgumentError } from 'commander';
import { UsageError } from '../kernel/errors.ts';
import type { CliContext } from './context.ts';
import { counted, jsonText } from './output.ts';
import { withPortal } from './portal.ts';

interface Options {
  guestId?: number;
  email?: string;
  reservationCode?: string;
  connection?: string;
  dryRun?: true;
  yes?: true;
  json?: true;
}

interface Report {
  erasure_id: string | null;
  bookings: string[];
  stays: number;
  persons: number;
  threads: number;
  rows: Record<string, number>;
  traces?: number;
}

export function eraseGuestCommand(program: Command, context: CliContext): void {
  program
    .command('erase-guest')
    .description('take a person out of the mirror, its history and its files; bookings and money stay')
    .option('--guest-id <id>', 'a guest on record', wholeNumber)
    .option('--email <address>', 'everybody with this address, in all bookings so far')
    .option('--reservation-code <code>', 'everybody of this booking')
    .option('--connection <name>', 'which account; needed when several are mirrored')
    .option('--dry-run', 'only say what would go')
    .option('--yes', 'do not ask')
    .option('--json', 'as JSON')
    .action((options: Options) => eraseGuest(context, options));
}

async function eraseGuest(context: CliContext, options: Options): Promise<void> {
  const { guestId: guest_id, email, reservationCode: reservation_code, connection } = options;
  if ([guest_id, email, reservation_code].filter((one) => one !== undefined).length !== 1) {
    throw new UsageError('nobody is named', 'give one of --guest-id, --email and --reservation-code');
  }
  const body = { connection, guest_id, email, reservation_code };
  await withPortal(context, async (portal) => {
    const run = (dry_run: boolean) => portal.run<Report>('/portal/erase_guest', { ...body, dry_run }, () => {});
    const plan = await run(true);
    const isNobody = plan.stays === 0 && plan.threads === 0;
    if (options.dryRun || isNobody) {
      context.out(options.json ? jsonText(plan) : isNobody ? 'nothing is known of such a person' : planText(plan));
      if (isNobody) context.exit(1);
      return;
    }
    if (!options.yes) await confirm(context, plan);
    const report = await run(false);
    context.out(options.json ? jsonText(report) : doneText(report));
    if ((report.traces ?? 0) > 0) context.exit(1);
  });
}

async function confirm(context: CliContext, plan: Report): Promise<void> {
  if (!context.ask) throw new UsageError('nobody can be asked here', 'look with --dry-run, then give --yes');
  context.err(planText(plan));
  const answer = await context.ask('This cannot be undone. Type yes to erase: ');
  if (answer.trim() !== 'yes') throw new UsageError('nothing was erased', 'only yes is taken for an answer');
}

function planText(plan: Report): string {
  return [`would erase ${personsOf(plan)}`, ...rowLines(plan)].join('\n');
}

function doneText(report: Report): string {
  const lines = [`erased ${personsOf(report)}`, ...rowLines(report)];
  if (report.traces) {
    lines.push(`the names still stand ${counted(report.traces, 'time')} in the files, in free text about others`);
  }
  lines.push(
    'the source still has this person: erase there, too',
    'backups still have it; a restored one is erased anew while erasures.log is there: keep a copy of it with them',
  );
  return lines.join('\n');
}

function personsOf({ persons, bookings, threads }: Report): string {
  return `${counted(persons, 'personal record')} of ${counted(bookings.length, 'booking')} and ${counted(threads, 'thread')}`;
}

function rowLines({ rows }: Report): string[] {
  return Object.entries(rows).map(([name, count]) => `  ${name}: ${counted(count, 'row')} without names and notes`);
}

function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError('Write a whole number above zero.');
  return Number(text);
}
