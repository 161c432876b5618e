import { type Command, InvalidArgumentError } from 'commander';
import { UsageError } from '../kernel/errors.ts';
import type { CliContext } from './context.ts';
import { counted, jsonText } from './output.ts';
import { type Portal, withPortal } from './portal.ts';

interface Options {
  guestId?: number;
  email?: string;
  reservationCode?: string;
  connection?: string;
  account?: string;
  dryRun?: true;
  yes?: true;
  json?: true;
}

interface Report {
  erasure_id: string | null;
  bookings: string[];
  stays: number;
  persons: number;
  conversations: number;
  rows: Record<string, number>;
  traces?: number;
}

/**
 * Adds `stayd erase-guest`, which removes a person from the core, the mirror, its history and their files. Reservations
 * and money remain.
 */
export function eraseGuestCommand(program: Command, context: CliContext): void {
  program
    .command('erase-guest')
    .description('erase a person from the core, the mirror, its history and their files; bookings and money remain')
    .option('--guest-id <id>', 'a guest on record', wholeNumber)
    .option('--email <address>', 'everybody with this address, in all bookings so far')
    .option('--reservation-code <code>', 'everybody in this booking')
    .option('--connection <name>', 'which account; needed when several are mirrored')
    .option('--account <name>', 'which account of the core; needed when it has several')
    .option('--dry-run', 'only show what would be erased')
    .option('--yes', 'do not ask')
    .option('--json', 'as JSON')
    .action((options: Options) => eraseGuest(context, options));
}

/** The result of one erasure: in the mirror, and in the core if the mirror reads the core of the same process. */
interface Reports extends Report {
  core: CoreReport | null;
}

/** Of an account that has no rows in the mirror. */
const NOTHING_MIRRORED: Report = { erasure_id: null, bookings: [], stays: 0, persons: 0, conversations: 0, rows: {} };

type CoreReport = Omit<Report, 'erasure_id'>;

async function eraseGuest(context: CliContext, options: Options): Promise<void> {
  const { guestId: guest_id, email, reservationCode: reservation_code, connection, account } = options;
  if ([guest_id, email, reservation_code].filter((one) => one !== undefined).length !== 1) {
    throw new UsageError('nobody is named', 'give one of --guest-id, --email and --reservation-code');
  }
  const whom = { guest_id, email, reservation_code };
  await withPortal(context, async (portal) => {
    const beside = await accountBeside(portal, { connection, account });
    const run = async (dry_run: boolean): Promise<Reports> => {
      // The mirror comes first, so that its later reads of the core meet persons that it already knows as erased.
      const isMirrored = beside?.connection !== null;
      const place = { connection: beside?.connection ?? connection };
      const report = isMirrored
        ? await portal.run<Report>('/portal/erase_guest', { ...whom, ...place, dry_run }, () => {})
        : NOTHING_MIRRORED;
      const inCore = beside
        ? await portal.run<CoreReport>('/portal/core/erase_guest', { ...whom, account: beside.id, dry_run }, () => {})
        : null;
      return { ...report, core: inCore };
    };
    const plan = await run(true);
    const isNobody = [plan, plan.core].every((one) => one === null || (one.stays === 0 && one.conversations === 0));
    if (options.dryRun || isNobody) {
      context.out(options.json ? jsonText(plan) : isNobody ? 'nothing is known of such a person' : planText(plan));
      if (isNobody) context.exit(1);
      return;
    }
    if (!options.yes) await confirm(context, plan);
    const report = await run(false);
    context.out(options.json ? jsonText(report) : doneText(report));
    if (tracesIn(report) > 0) context.exit(1);
  });
}

/**
 * Returns the account of the core of the same process in which the person is erased, and its connection, null if none
 * has rows of it; undefined if another deployment has the data.
 * @throws UsageError if account and connection do not belong together, or there are several
 */
async function accountBeside(
  portal: Portal,
  { connection, account }: { connection: string | undefined; account: string | undefined },
): Promise<{ id: string; connection: string | null } | undefined> {
  if (!portal.hasCore) return undefined;
  const { accounts } = await portal.get<{ accounts: Account[] }>('/portal/accounts');
  const named = accounts.find((one) => one.account_id === account || one.name === account);
  if (account !== undefined && !named) throw new UsageError(`--account: there is no account "${account}"`);
  if (connection !== undefined) {
    const own = accounts.find((one) => one.connection === connection);
    if (named && own !== named) {
      throw new UsageError(`--connection: ${connection} does not mirror the account ${named.name}`);
    }
    return own && { id: own.account_id, connection };
  }
  const [only, ...others] = named ? [named] : accounts;
  if (!only) return undefined;
  if (others.length > 0) throw new UsageError('several accounts are here', 'say which one: --account or --connection');
  if (only.mirrored) return { id: only.account_id, connection: only.connection };
  const { connections } = await portal.get<{ connections: { connection: string }[] }>('/portal/connections');
  if (!connections.some((one) => one.connection === only.connection)) return { id: only.account_id, connection: null };
  throw new UsageError(
    `${only.name} is not mirrored any more, and the rows of ${only.connection} are still there`,
    `delete them first (./stayd disconnect ${only.connection} --delete-rows), or mirror the account again`,
  );
}

interface Account {
  account_id: string;
  name: string;
  connection: string | null;
  mirrored: boolean;
}

async function confirm(context: CliContext, plan: Reports): Promise<void> {
  if (!context.ask) throw new UsageError('nobody can be asked here', 'look with --dry-run, then give --yes');
  context.err(planText(plan));
  const answer = await context.ask('This cannot be undone. Type yes to erase: ');
  if (answer.trim() !== 'yes') throw new UsageError('nothing was erased', 'only yes is taken for an answer');
}

function planText(plan: Reports): string {
  const core = plan.core === null ? [] : [`in the core: ${personsOf(plan.core)}`];
  return [`would erase ${personsOf(plan)}`, ...rowLines(plan), ...core].join('\n');
}

function doneText(report: Reports): string {
  const { core } = report;
  const lines = [`erased ${personsOf(report)}`, ...rowLines(report)];
  if (core) lines.push(`in the core: ${personsOf(core)}`, ...rowLines(core));
  const traces = tracesIn(report);
  if (traces > 0)
    lines.push(`the names still stand ${counted(traces, 'time')} in the files, in free text about others`);
  lines.push(
    core
      ? 'the channels that the bookings came from still have this person: erase there, too'
      : 'the source still has this person: only the source can erase there, so have it done',
    core
      ? 'backups still have it; of a restored one the mirror is erased again while erasures.log is there (keep a copy of it ' +
          'with them), and the core by this command once more'
      : 'backups still have it; a restored one is erased again while erasures.log is there: keep a copy of it with them',
  );
  return lines.join('\n');
}

function tracesIn({ traces = 0, core }: Reports): number {
  return traces + (core?.traces ?? 0);
}

function personsOf({ persons, bookings, conversations }: CoreReport): string {
  return `${counted(persons, 'personal record')} of ${counted(bookings.length, 'booking')} and ${counted(conversations, 'conversation')}`;
}

function rowLines({ rows }: CoreReport): string[] {
  return Object.entries(rows).map(([name, count]) => `  ${name}: ${counted(count, 'row')} without names and notes`);
}

function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError('Write a whole number above zero.');
  return Number(text);
}
