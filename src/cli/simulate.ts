import { type Command, InvalidArgumentError } from 'commander';
import type { SimulationProgress, SimulationSummary } from '../compose/simulations.ts';
import type { CliContext } from './context.ts';
import { counted, grouped, jsonText, table } from './output.ts';
import { withCore } from './portal.ts';
import { progressDisplay } from './progress.ts';

interface SimulateOptions {
  days: number;
  properties: number;
  seed: number;
  account?: string;
  json?: true;
}

export function simulateCommand(program: Command, context: CliContext): void {
  program
    .command('simulate')
    .description('let guests book, pay, alter, cancel, write and review on sandbox marketplaces')
    .requiredOption('--days <n>', 'arrivals spread over so many days from today on', wholeNumber)
    .requiredOption('--properties <n>', 'so many properties are made for it', wholeNumber)
    .option('--seed <n>', 'the same seed does the same', wholeNumber, 1)
    .option('--account <name>', 'whose marketplaces; needed when there are several accounts')
    .option('--json', 'print what was done as JSON')
    .action((options: SimulateOptions) => simulate(context, options));
}

function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

async function simulate(context: CliContext, { json, ...order }: SimulateOptions): Promise<void> {
  const display = progressDisplay(context, json === true);
  const summary = await withCore(context, (portal) =>
    portal.run<SimulationSummary>('/portal/sandbox/simulations', order, (progress) =>
      display.update(progress as unknown as SimulationProgress),
    ),
  ).finally(() => display.end());
  context.out(json ? jsonText(summary) : shown(summary));
}

function shown({ days, properties, seed, actions, bookings, boxed }: SimulationSummary): string {
  const made = Object.values(bookings).reduce((sum, count) => sum + count, 0);
  const rows = (counts: Record<string, number>) =>
    Object.entries(counts)
      .toSorted(([, a], [, b]) => b - a)
      .map(([name, count]) => [name, grouped(count)]);
  return [
    `${counted(made, 'booking')} in ${properties === 1 ? '1 property' : `${grouped(properties)} properties`} over ${counted(days, 'day')}, seed ${seed}; ${counted(boxed, 'stay')} in the reservation box`,
    '',
    table(['status', 'bookings'], rows(bookings)),
    '',
    table(['action', 'times'], rows(actions)),
  ].join('\n');
}
