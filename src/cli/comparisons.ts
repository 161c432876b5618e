import type { Command } from 'commander';
import type { CliContext } from './context.ts';
import { addsTo, type Chosen } from './options.ts';
import { jsonText, table } from './output.ts';
import { count } from './people.ts';
import { withPortal } from './portal.ts';

interface Comparison {
  comparison_id: string;
  property_id: number;
  property: string | null;
  name: string;
  host: string;
  good_at: string | null;
  problem: string | null;
  events: number | null;
  findings?: number;
}

interface Finding {
  finding_id: string;
  name: string | null;
  property_id: number | null;
  property: string | null;
  known_to: 'calendar' | 'mirror';
  stay_code: string | null;
  start_date: string;
  end_date: string;
  is_sold: boolean;
  first_seen_at: string;
  settled_at: string | null;
  needs_person: boolean;
}

interface Outcome {
  read: string;
  problem?: string;
  events?: number;
  differences?: number;
}

/** Adds `stayd comparisons`: calendars at marketplaces, compared with a mirror of another deployment. */
export function comparisonCommands(program: Command, context: CliContext): void {
  const command = addsTo(
    program.command('comparisons').description('compare calendars at marketplaces with what is mirrored'),
  );
  command('list', 'list the calendars that are compared').action(({ connection, json }: Chosen) =>
    withPortal(context, async (portal) => {
      const { comparisons } = await portal.get<{ comparisons: Comparison[] }>('/portal/comparisons', { connection });
      if (json) return context.out(jsonText(comparisons));
      const rows = comparisons.map((one) => [
        one.comparison_id,
        one.property ?? one.property_id,
        one.name,
        one.host,
        one.problem ?? one.good_at ?? 'not yet',
        one.events ?? '',
        one.findings ?? '',
      ]);
      context.out(table(['id', 'property', 'name', 'from', 'read', 'events', 'findings'], rows));
    }),
  );
  command('add', 'compare the calendar of a property at a marketplace')
    .requiredOption('--property <id>', 'whose calendar it is', count)
    .requiredOption('--name <name>', 'what to call it: the marketplace')
    .requiredOption('--url <url>', 'where the marketplace shows the calendar')
    .action(({ connection, json, property, ...draft }: Chosen & { property: number; name: string; url: string }) =>
      withPortal(context, async (portal) => {
        const made = await portal.send<Comparison & { outcome: Outcome }>('POST', '/portal/comparisons', {
          connection,
          property_id: property,
          ...draft,
        });
        context.out(json ? jsonText(made) : `${made.comparison_id}: ${said(made.outcome)}`);
      }),
    );
  command('findings', 'list what only one side knows').action(({ connection, json }: Chosen) =>
    withPortal(context, async (portal) => {
      const answer = await portal.get<{ findings: Finding[] }>('/portal/comparisons/findings', { connection });
      if (json) return context.out(jsonText(answer.findings));
      const rows = answer.findings.map((one) => [
        one.finding_id,
        one.property ?? one.property_id ?? '',
        one.name ?? '',
        `${one.start_date} to ${one.end_date}`,
        knownTo(one),
        one.first_seen_at,
        stateOf(one),
      ]);
      context.out(table(['id', 'property', 'calendar', 'nights', 'known to', 'since', 'state'], rows));
    }),
  );
  command('read <id>', 'read a calendar now').action((id: string, { connection, json }: Chosen) =>
    withPortal(context, async (portal) => {
      const { outcome } = await portal.send<{ outcome: Outcome }>('POST', `${pathOf(id)}/read`, { connection });
      context.out(json ? jsonText(outcome) : said(outcome));
      return outcome.read === 'good' ? undefined : context.exit(1);
    }),
  );
  command('settle <finding>', 'say that a finding is well known').action((id: string, { connection }: Chosen) =>
    withPortal(context, async (portal) => {
      await portal.send('POST', `${pathOf('findings')}/${encodeURIComponent(id)}/settle`, { connection });
      context.out(`${id} is no alarm any more`);
    }),
  );
  command('remove <id>', 'compare a calendar no more').action((id: string, { connection }: Chosen) =>
    withPortal(context, async (portal) => {
      const { name } = await portal.send<{ name: string }>('DELETE', pathOf(id), { connection });
      context.out(`removed ${name}`);
    }),
  );
}

function knownTo({ known_to, stay_code, is_sold }: Finding): string {
  if (known_to === 'mirror') return `the mirror alone: ${stay_code}`;
  return is_sold ? 'the calendar alone: guests' : 'the calendar alone: closed';
}

function stateOf({ settled_at, needs_person }: Finding): string {
  if (settled_at !== null) return 'settled';
  return needs_person ? 'alarm' : 'may be late';
}

function said({ read, problem, events = 0, differences = 0 }: Outcome): string {
  return read === 'good' ? `${events} events, ${differences} differences` : `not read: ${problem ?? read}`;
}

function pathOf(id: string): string {
  return `/portal/comparisons/${encodeURIComponent(id)}`;
}
