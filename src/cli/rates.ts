import { existsSync, readFileSync } from 'node:fs';
import { type Command, InvalidArgumentError } from 'commander';
import { UsageError } from '../kernel/errors.ts';
import type { CliContext } from './context.ts';
import { jsonText, table } from './output.ts';
import { count } from './people.ts';
import { withCore } from './portal.ts';

interface ShownPlan {
  id: number;
  version: number;
  changed_at: string;
  property_ids: number[];
  plan: { name: string; currency: string; base_price: number; seasons: object[] };
}

interface ShownLine {
  name: string;
  quantity: number;
  unit: number | null;
  amount: number;
}

interface ShownAnswer {
  plan: { id: number; version: number; name: string };
  quote: {
    currency: string;
    lines: ShownLine[];
    total: number;
    included_taxes: ShownLine[];
    deposit: number;
    first_payment: number;
    balance: number;
    balance_due_date: string | null;
    cancellation: { name: string; steps: { until: string; refund_percent: number }[] };
  } | null;
  refused: { says: string }[];
}

const OF_ACCOUNT = ['--account <name>', 'which account; needed when there are several'] as const;

/** Adds `stayd rates`: what properties cost without a channel. */
export function rateCommands(program: Command, context: CliContext): void {
  const rates = program.command('rates').description('rate plans: what properties cost in direct bookings');
  showCommand(rates, context);
  setCommand(rates, context);
  rates
    .command('remove <property>')
    .description('leave a property without a rate plan; others that share it keep it')
    .option(...OF_ACCOUNT)
    .action((property: string, { account }: { account?: string }) =>
      withCore(context, async (portal) => {
        await portal.send('DELETE', `/portal/rate_plans/${count(property)}`, { account });
      }),
    );
  quoteCommand(rates, context);
}

function showCommand(rates: Command, context: CliContext): void {
  rates
    .command('show [property]')
    .description('list the rate plans, or print that of a property as a file for rates set')
    .option(...OF_ACCOUNT)
    .option('--json', 'as JSON')
    .action((property: string | undefined, { account, json }: { account?: string; json?: true }) =>
      withCore(context, async (portal) => {
        if (property !== undefined) {
          const one = await portal.get<ShownPlan>(`/portal/rate_plans/${count(property)}`, { account });
          if (json) return context.out(jsonText(one));
          const { stringify } = await import('./yamlText.ts');
          return context.out(stringify({ properties: one.property_ids, ...one.plan }).trimEnd());
        }
        const { rate_plans: plans } = await portal.get<{ rate_plans: ShownPlan[] }>('/portal/rate_plans', { account });
        if (json) return context.out(jsonText(plans));
        if (plans.length === 0) return context.out('no rate plans yet: see docs/direct.md for a file to begin with');
        const rows = plans.map(({ id, version, property_ids, plan, changed_at }) => [
          id,
          version,
          plan.name,
          property_ids.join(', '),
          `${plan.base_price} ${plan.currency}`,
          plan.seasons.length,
          changed_at,
        ]);
        context.out(table(['plan', 'version', 'name', 'properties', 'a night', 'seasons', 'changed'], rows));
      }),
    );
}

function setCommand(rates: Command, context: CliContext): void {
  rates
    .command('set <file>')
    .description('give properties the rate plan of a YAML or JSON file; its mistakes are told with their lines')
    .option(
      '--property <id>',
      'which property, several times for several; by default those that the file names',
      counts,
    )
    .option(...OF_ACCOUNT)
    .action((file: string, { account, property }: { account?: string; property?: number[] }) =>
      withCore(context, async (portal) => {
        if (!existsSync(file)) throw new UsageError(`there is no file ${file}`, 'name an existing YAML or JSON file');
        const body = { account, property_ids: property, text: readFileSync(file, 'utf8') };
        const set = await portal.send<ShownPlan>('PUT', '/portal/rate_plans', body);
        const of = set.property_ids.length === 1 ? 'property' : 'properties';
        context.out(
          `plan ${set.id}, version ${set.version}: ${set.plan.name} for ${of} ${set.property_ids.join(', ')}`,
        );
      }),
    );
}

function counts(text: string, before: number[] = []): number[] {
  return [...before, count(text)];
}

interface Asked {
  from: string;
  to: string;
  adults: number;
  children?: number[];
  pets: number;
  choose: string[];
  bookedOn?: string;
  account?: string;
  json?: true;
}

function quoteCommand(rates: Command, context: CliContext): void {
  rates
    .command('quote <property>')
    .description('print the price of a stay, line by line; exit code 1 if it is not possible')
    .requiredOption('--from <date>', 'day of arrival, YYYY-MM-DD')
    .requiredOption('--to <date>', 'day of departure')
    .option('--adults <count>', 'adults', count, 2)
    .option('--children <ages>', 'ages of the children, such as 3,7', agesIn)
    .option('--pets <count>', 'pets', countOrNone, 0)
    .option(
      '--choose <fee>',
      'an optional fee; several times for several',
      (fee: string, before: string[]) => [...before, fee],
      [],
    )
    .option('--booked-on <date>', 'as if it were booked on this day; today by default')
    .option(...OF_ACCOUNT)
    .option('--json', 'as JSON')
    .action((property: string, asked: Asked) =>
      withCore(context, async (portal) => {
        const answer = await portal.send<ShownAnswer>('POST', '/portal/rate_plans/quote', {
          account: asked.account,
          property_id: count(property),
          check_in_date: asked.from,
          check_out_date: asked.to,
          adults: asked.adults,
          children: asked.children,
          pets: asked.pets,
          optional_fees: asked.choose,
          booked_on: asked.bookedOn,
        });
        if (answer.quote === null) context.exit(1);
        if (asked.json) return context.out(jsonText(answer));
        if (answer.quote === null) return context.err(answer.refused.map(({ says }) => says).join('\n'));
        context.out(quoteText(answer.quote));
      }),
    );
}

function countOrNone(text: string): number {
  return text === '0' ? 0 : count(text);
}

function agesIn(text: string): number[] {
  const ages = text.split(',').map((one) => one.trim());
  const wrong = ages.find((age) => !/^(?:\d|1[0-7])$/.test(age));
  if (wrong === undefined) return ages.map(Number);
  throw new InvalidArgumentError('Write ages from 0 to 17, separated by commas, such as 3,7.');
}

function quoteText(quote: NonNullable<ShownAnswer['quote']>): string {
  const row = ({ name, quantity, unit, amount }: ShownLine) => [name, quantity, unit ?? '', amount];
  const rows = [...quote.lines.map(row), ['total', '', '', `${quote.total} ${quote.currency}`]];
  const said = [table(['what', 'times', 'each', 'amount'], rows)];
  for (const { name, amount } of quote.included_taxes) said.push(`contains ${name}: ${amount}`);
  if (quote.deposit > 0) said.push(`security deposit, apart: ${quote.deposit}`);
  said.push(
    quote.balance_due_date === null
      ? `due at the booking: ${quote.first_payment}`
      : `due at the booking: ${quote.first_payment}; by ${quote.balance_due_date}: ${quote.balance}`,
  );
  const steps = quote.cancellation.steps.map((step) => `${step.refund_percent} % until ${step.until}`);
  said.push(`cancellation (${quote.cancellation.name}): ${[...steps, 'nothing after'].join(', ')}`);
  return said.join('\n');
}
