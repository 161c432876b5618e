import { type Command, Option } from 'commander';
import { sourceChoices } from '../compose/core/feedSources.ts';
import type { CliContext } from './context.ts';
import { jsonText, table } from './output.ts';
import { count } from './people.ts';
import { withCore } from './portal.ts';

interface ShownFeed {
  id: number;
  property_id: number;
  name: string;
  audience: string;
  state: string;
  host: string | null;
  calendar_url: string;
  read: { good_at: string | null; problem: string | null; events: number | null };
  fetched: { at: string | null };
  /** What may be sold twice, until somebody has looked. */
  clashes: { events: number; nights: number };
}

interface Outcome {
  read: string;
  problem?: string;
  events?: number;
  booked?: number;
  altered?: number;
  cancelled?: number;
  nights_closed?: number;
}

const OF_ACCOUNT = ['--account <name>', 'which account; needed when there are several'] as const;

/** Adds `stayd feeds`: calendars of properties at channels without an API, and those of people. */
export function feedCommands(program: Command, context: CliContext): void {
  const feeds = program
    .command('feeds')
    .description('calendar feeds: what channels have sold, and what they see of here');
  feeds
    .command('list')
    .description('list the calendars, when each was read, when somebody fetched ours, and what may be sold twice')
    .option(...OF_ACCOUNT)
    .option('--property <id>', 'of one property', count)
    .option('--json', 'as JSON')
    .action((options: { account?: string; property?: number; json?: true }) =>
      withCore(context, async (portal) => {
        const question = { account: options.account, property_id: options.property };
        const found = await portal.get<{ feeds: ShownFeed[] }>('/portal/feeds', question);
        if (options.json) return context.out(jsonText(found.feeds));
        const rows = found.feeds.map((feed) => [
          feed.id,
          feed.property_id,
          feed.name,
          feed.host ?? (feed.audience === 'private' ? 'private' : ''),
          feed.state === 'paused' ? 'paused' : (feed.read.problem ?? feed.read.good_at ?? ''),
          feed.read.events ?? '',
          feed.fetched.at ?? 'never',
          clashText(feed),
        ]);
        context.out(table(['id', 'property', 'name', 'from', 'read', 'events', 'ours fetched', 'sold twice?'], rows));
      }),
    );
  feeds
    .command('add')
    .description('connect a calendar, and print the address of ours for the other side')
    .requiredOption('--property <id>', 'whose calendar it is', count)
    .requiredOption('--name <name>', 'what to call it: the channel, or the person')
    .option('--url <url>', 'where the channel shows its calendar')
    .addOption(
      new Option(
        '--source <source>',
        'whose calendar it is, since each writes in its own way; by default what its host says',
      ).choices(sourceChoices),
    )
    .option('--private', 'for a person: it shows stays, and reads nothing')
    .option('--shows <details>', 'what a private calendar shows: name,phone,guests,times,code')
    .option(...OF_ACCOUNT)
    .action((options: Record<string, unknown>) =>
      withCore(context, async (portal) => {
        const { account, property, name, url, source, shows } = options;
        const made = await portal.send<ShownFeed & { outcome: Outcome | null }>('POST', '/portal/feeds', {
          account,
          property_id: property,
          name,
          url,
          source,
          ...(options['private'] === true && { audience: 'private' }),
          ...(typeof shows === 'string' && { shows: shows.split(',').map((one) => one.trim()) }),
        });
        if (made.outcome) context.err(said(made.outcome));
        context.out(made.calendar_url);
      }),
    );
  feeds
    .command('read <id>')
    .description('read a calendar now')
    .option(...OF_ACCOUNT)
    .action((id: string, { account }: { account?: string }) =>
      withCore(context, async (portal) => {
        const path = `/portal/feeds/${count(id)}/read`;
        const { outcome } = await portal.send<{ outcome: Outcome }>('POST', path, { account });
        context.out(said(outcome));
        return outcome.read === 'good' ? undefined : context.exit(1);
      }),
    );
  for (const [name, state, what] of [
    ['pause', 'paused', 'read a calendar no more; what it closes stays closed'],
    ['resume', 'active', 'read a paused calendar again'],
  ] as const) {
    feeds
      .command(`${name} <id>`)
      .description(what)
      .option(...OF_ACCOUNT)
      .action((id: string, { account }: { account?: string }) =>
        withCore(context, async (portal) => {
          await portal.send('PATCH', `/portal/feeds/${count(id)}`, { account, state });
        }),
      );
  }
  feeds
    .command('remove <id>')
    .description('remove a calendar: the nights that it alone closed open, its reservations stay')
    .option('--cancel', 'cancel its reservations that have not begun')
    .option(...OF_ACCOUNT)
    .action((id: string, { account, cancel = false }: { account?: string; cancel?: boolean }) =>
      withCore(context, async (portal) => {
        await portal.send('DELETE', `/portal/feeds/${count(id)}`, { account, cancel_reservations: cancel });
      }),
    );
}

function clashText({ clashes: { events, nights } }: ShownFeed): string {
  if (events === 0) return '';
  return `${nights} ${nights === 1 ? 'night' : 'nights'}`;
}

function said(outcome: Outcome): string {
  if (outcome.read !== 'good') return `not read: ${outcome.problem ?? outcome.read}`;
  const { events = 0, booked = 0, altered = 0, cancelled = 0, nights_closed = 0 } = outcome;
  return `${events} events: ${booked} reservations new, ${altered} altered, ${cancelled} cancelled; ${nights_closed} nights closed`;
}
