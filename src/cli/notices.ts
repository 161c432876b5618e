import { type Command, Option } from 'commander';
import { UsageError } from '../kernel/errors.ts';
import type { CliContext } from './context.ts';
import { addsTo, type Chosen } from './options.ts';
import { jsonText, table } from './output.ts';
import { count } from './people.ts';
import { withPortal } from './portal.ts';

interface Place {
  name: string;
  kind: string;
  shown: string;
  hears: string[];
  quiet: string | null;
  briefing_at: string | null;
  state: string;
  problem: string | null;
  succeeded_at: string | null;
}

interface Notice {
  created_at: string;
  place: string;
  topic: string;
  title: string;
  state: string;
  problem: string | null;
}

interface AddOptions extends Chosen {
  email?: string;
  ntfy?: string;
  slack?: string;
  telegram?: string;
  matrix?: string;
  webhook?: string;
  token?: string;
  server?: string;
  body?: string;
  header?: string[];
  contentType?: string;
  hears?: string;
  quiet?: string;
  wakes?: true;
  at?: string;
  persons?: true;
  language?: string;
}

/** Adds `stayd notices`: how people are told by mail, chat or push. */
export function noticeCommands(program: Command, context: CliContext): void {
  const command = addsTo(program.command('notices').description('tell people by mail, chat or push'));
  command('list', 'list where people are told').action(({ connection, json }: Chosen) =>
    withPortal(context, async (portal) => {
      const { places } = await portal.get<{ places: Place[] }>('/portal/notices', { connection });
      if (json) return context.out(jsonText(places));
      context.out(table(['name', 'kind', 'to', 'hears', 'quiet', 'told'], places.map(cells)));
    }),
  );
  addCommand(command('add <name>', 'add a place: a mailbox, a chat, a phone'), context);
  command('test <name>', 'send a test now').action((name: string, { connection, json }: Chosen) =>
    withPortal(context, async (portal) => {
      const said = await portal.send<{ sent: boolean; problem: string | null }>('POST', `${pathOf(name)}/test`, {
        connection,
      });
      if (json) context.out(jsonText(said));
      else if (said.sent) context.out(`sent to ${name}`);
      else
        context.err(`not sent to ${name}: ${said.problem ?? 'it is being told something else; try again in a minute'}`);
      return said.sent ? undefined : context.exit(1);
    }),
  );
  for (const [verb, state, what] of [
    ['pause', 'paused', 'tell a place nothing; what waits for it stays'],
    ['resume', 'active', 'tell a paused place again'],
  ] as const) {
    command(`${verb} <name>`, what).action((name: string, { connection }: Chosen) =>
      withPortal(context, async (portal) => {
        await portal.send('PATCH', pathOf(name), { connection, state });
        context.out(`${name} is ${state}`);
      }),
    );
  }
  command('remove <name>', 'remove a place, with what waits for it').action((name: string, { connection }: Chosen) =>
    withPortal(context, async (portal) => {
      await portal.send('DELETE', pathOf(name), { connection });
      context.out(`removed ${name}`);
    }),
  );
  command('log', 'list what was told last, and what waits')
    .option('--place <name>', 'of one place')
    .option('--limit <count>', 'how many', count, 20)
    .action(({ connection, json, ...question }: Chosen & { place?: string; limit: number }) =>
      withPortal(context, async (portal) => {
        const { notices } = await portal.get<{ notices: Notice[] }>('/portal/notices/log', { connection, ...question });
        if (json) return context.out(jsonText(notices));
        const rows = notices.map((one) => [
          one.created_at,
          one.place,
          one.topic,
          one.state,
          one.state === 'sent' ? one.title : `${one.title}${one.problem === null ? '' : ` (${one.problem})`}`,
        ]);
        context.out(table(['at', 'place', 'topic', 'state', 'title'], rows));
      }),
    );
}

function addCommand(command: Command, context: CliContext): void {
  command
    .option('--email <addresses>', 'by mail: addresses, separated by commas')
    .option('--ntfy <topic>', 'by push through ntfy: the topic; --server for a server of your own')
    .option('--slack <url>', 'in a channel of Slack: the address of an incoming webhook')
    .option('--telegram <chat>', 'in a chat of Telegram: its id; with --token of the bot')
    .option('--matrix <room>', 'in a room of Matrix: its id; with --server and --token')
    .option('--webhook <url>', 'at any address; --body, --header and --content-type say what is sent')
    .option('--token <token>', 'the token of the bot or the user')
    .option('--server <url>', 'the server of ntfy or Matrix')
    .option('--body <template>', 'what a webhook is sent, such as {"text": {{ text | json }}}')
    .option('--header <name: value...>', 'headers of a webhook, such as "Authorization: Bearer …"')
    .option('--content-type <type>', 'of the body of a webhook')
    .option('--hears <topics>', 'alarms, today (separated by commas), or none: only what rules tell')
    .option('--quiet <hours>', 'tell nothing in these hours, such as 21:00-07:00')
    .option('--wakes', 'tell alarms in quiet hours, too')
    .option('--at <time>', 'when to tell of the day ahead', '07:30')
    .option('--persons', 'name guests in the day ahead')
    .addOption(new Option('--language <language>', 'of its texts').choices(['en', 'de']))
    .action((name: string, options: AddOptions) =>
      withPortal(context, async (portal) => {
        const { connection, hears, quiet, wakes, at, persons, language, json } = options;
        const topics =
          hears === undefined ? ['alarms'] : hears === 'none' ? [] : hears.split(',').map((one) => one.trim());
        const made = await portal.send<Place>('POST', '/portal/notices', {
          connection,
          name,
          ...kindOf(options),
          hears: topics,
          ...(quiet !== undefined && { quiet }),
          ...(wakes && { wakes }),
          ...(topics.includes('today') && { briefing_at: at }),
          ...(persons && { persons }),
          ...(language !== undefined && { language }),
        });
        if (json) return context.out(jsonText(made));
        context.out(`${made.name} is told ${topics.length === 0 ? 'what rules say' : topics.join(' and ')}`);
        context.out(`try it: ./stayd notices test "${made.name}"`);
      }),
    );
}

/** Returns the kind that is chosen, with its settings. */
function kindOf(options: AddOptions): { kind: string; settings: object } {
  const { email, ntfy, slack, telegram, matrix, webhook, token, server, body, header, contentType } = options;
  const given = {
    ...(token !== undefined && { token }),
    ...(server !== undefined && { server }),
  };
  const kinds = [
    email !== undefined && { kind: 'email', settings: { to: email.split(',').map((one) => one.trim()) } },
    ntfy !== undefined && { kind: 'ntfy', settings: { topic: ntfy, ...given } },
    slack !== undefined && { kind: 'slack', settings: { url: slack } },
    telegram !== undefined && { kind: 'telegram', settings: { chat_id: telegram, ...given } },
    matrix !== undefined && { kind: 'matrix', settings: { room: matrix, ...given } },
    webhook !== undefined && {
      kind: 'webhook',
      settings: {
        url: webhook,
        ...(body !== undefined && { body }),
        ...(contentType !== undefined && { content_type: contentType }),
        ...(header !== undefined && { headers: Object.fromEntries(header.map(headerOf)) }),
      },
    },
  ].filter((one) => one !== false);
  const [kind, ...others] = kinds;
  if (!kind || others.length > 0) {
    throw new UsageError('say once how: --email, --ntfy, --slack, --telegram, --matrix or --webhook');
  }
  return kind;
}

function headerOf(text: string): [string, string] {
  const [name = '', ...value] = text.split(':');
  return [name.trim(), value.join(':').trim()];
}

function cells({ name, kind, shown, hears, quiet, briefing_at, state, problem, succeeded_at }: Place) {
  const topics = hears.map((topic) => (topic === 'today' ? `today at ${briefing_at}` : topic)).join(', ');
  const told = state === 'paused' ? 'paused' : (problem ?? succeeded_at ?? 'never yet');
  return [name, kind, shown, topics === '' ? 'rules' : topics, quiet ?? '', told];
}

function pathOf(name: string): string {
  return `/portal/notices/${encodeURIComponent(name)}`;
}
