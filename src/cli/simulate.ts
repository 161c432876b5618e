import { type Command, InvalidArgumentError } from 'commander';
import type { SimulationProgress, SimulationSummary } from '../compose/core/simulations.ts';
import { UsageError } from '../kernel/errors.ts';
import { catchUp } from './catchUp.ts';
import type { CliContext } from './context.ts';
import { counted, grouped, jsonText, table } from './output.ts';
import { type Portal, withCore } from './portal.ts';
import { progressDisplay } from './progress.ts';

interface SimulateOptions {
  days: number;
  properties: number;
  seed: number;
  perMinute?: number;
  account?: string;
  wait: boolean;
  yes?: true;
  json?: true;
}

/** Adds `stayd simulate`, which simulates guests and hosts on sandbox marketplaces and then updates the mirror. */
export function simulateCommand(program: Command, context: CliContext): void {
  program
    .command('simulate')
    .description('simulate guests and hosts on sandbox marketplaces up to now, then bring the mirror up to date')
    .requiredOption(
      '--days <n>',
      'number of days over which arrivals are spread, half of them in the past',
      wholeNumber,
    )
    .requiredOption('--properties <n>', 'number of properties to create', wholeNumber)
    .option('--seed <n>', 'the same seed gives the same simulation', wholeNumber, 1)
    .option('--per-minute <n>', 'actions per minute (default: as fast as possible)', wholeNumber)
    .option('--account <name>', 'which account; needed when there are several')
    .option('--yes', 'do not ask for confirmation if the account has reservations')
    .option('--no-wait', 'do not wait for the mirror')
    .option('--json', 'print the summary as JSON')
    .action((options: SimulateOptions) => simulate(context, options));
}

function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

async function simulate(context: CliContext, options: SimulateOptions): Promise<void> {
  const { json, wait, yes, perMinute: per_minute, ...order } = options;
  if (per_minute === 0) throw new UsageError('--per-minute must be at least 1');
  const display = progressDisplay(context, json === true);
  let mirrors: readonly string[] = [];
  let trouble: unknown;
  const summary = await withCore(context, async (portal) => {
    if (!yes) await confirm(context, portal, options.account);
    const body = { ...order, per_minute };
    const done = await portal.run<SimulationSummary>('/portal/sandbox/simulations', body, (progress) =>
      display.update(progress as unknown as SimulationProgress),
    );
    if (!wait) return done;
    // The summary of the simulation is printed even if the mirror fails.
    await catchUp(portal, options.account, context.signal, display).then(
      (names) => (mirrors = names),
      (error: unknown) => (trouble = error),
    );
    return done;
  }).finally(() => display.end());
  context.out(json ? jsonText({ ...summary, mirrors }) : shown(summary, mirrors));
  if (trouble !== undefined) throw trouble;
}

/** Asks first, because simulated guests look like real ones and their reservations and money cannot be removed. */
async function confirm(context: CliContext, portal: Portal, named: string | undefined): Promise<void> {
  const { account, reservations } = await portal.get<{ account: string; reservations: number }>(
    '/portal/sandbox/simulations',
    { account: named },
  );
  if (reservations === 0) return;
  const has = `account ${account} has ${counted(reservations, 'reservation')}, and what is simulated stays among them`;
  if (!context.ask) throw new UsageError(has, 'give --yes to do it all the same, or another --account');
  const answer = await context.ask(`${has}. Type yes to go on: `);
  if (answer.trim() !== 'yes') throw new UsageError('nothing was simulated', 'only yes is taken for an answer');
}

function shown(
  { order, actions, bookings, boxed, pushes, events }: SimulationSummary,
  mirrors: readonly string[],
): string {
  const made = totalOf(bookings);
  const rows = (counts: Record<string, number>) =>
    Object.entries(counts)
      .toSorted(([, a], [, b]) => b - a)
      .map(([name, count]) => [name, grouped(count)]);
  const where = order.properties === 1 ? '1 property' : `${grouped(order.properties)} properties`;
  return [
    `${counted(made, 'booking')} in ${where} over ${counted(order.days, 'day')}, seed ${order.seed}; ${counted(boxed, 'stay')} in the reservation box; ${counted(totalOf(events), 'event')}`,
    '',
    table(['status', 'bookings'], rows(bookings)),
    '',
    table(['action', 'times'], rows(actions)),
    '',
    table(['push to a marketplace', 'times'], rows(pushes)),
    '',
    table(['event', 'times'], rows(events)),
    '',
    mirrors.length > 0
      ? `the mirror is up to date (${mirrors.join(', ')}); ./stayd verify compares it`
      : 'the mirror follows by itself; what no event announces is found by ./stayd reconcile',
  ].join('\n');
}

function totalOf(counts: Record<string, number>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
