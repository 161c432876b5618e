import { type Command, InvalidArgumentError, Option } from 'commander';
import type { CliContext } from './context.ts';
import { type AddCommand, addsTo, type Chosen } from './options.ts';
import { jsonText, table } from './output.ts';
import { type Portal, withPortal } from './portal.ts';

interface Endpoint {
  endpoint_id: string;
  url: string;
  kinds: string[];
  property_ids: number[] | null;
  state: string;
  reason: string | null;
  failing_since: string | null;
  messages: { waiting: number; delivered: number; skipped: number; dead: number };
}

interface Message {
  message_id: string;
  seq: number;
  kind: string;
  key: string;
  state: string;
  attempts: number;
  next_at: string;
  outcome: string | null;
  http_status: number | null;
}

interface Draft extends Chosen {
  kind?: string[];
  property?: number[] | 'all';
  persons?: boolean;
  description?: string;
}

/** Adds `stayd endpoints`: programs that receive signed webhooks about changes of the mirror. */
export function endpointCommands(program: Command, context: CliContext): void {
  const endpoints = program.command('endpoints').description('programs that receive signed webhooks about changes');
  const command = addsTo(endpoints);
  listCommand(command, context);
  addCommand(command, context);
  changeCommand(command, context);
  removeCommand(command, context);
  rotateCommand(command, context);
  pingCommand(command, context);
  logCommand(command, context);
  replayCommand(command, context);
}

function listCommand(command: AddCommand, context: CliContext): void {
  command('list', 'list them, with what they receive and how their deliveries go').action((options: Chosen) =>
    withPortal(context, async (portal) => {
      const { connection, json } = options;
      const { endpoints: rows } = await portal.get<{ endpoints: Endpoint[] }>('/portal/endpoints', { connection });
      if (json) return context.out(jsonText(rows));
      context.out(table(['endpoint_id', 'url', 'kinds', 'state', 'waiting', 'delivered', 'dead'], rows.map(cells)));
      for (const one of rows) if (one.reason !== null) context.out(`${one.endpoint_id} is off: ${one.reason}`);
    }),
  );
}

function addCommand(command: AddCommand, context: CliContext): void {
  drafted(
    command('add <url>', 'send a program the changes from now on; prints its secret, which is shown only once'),
  ).action((url: string, options: Draft) =>
    withPortal(context, async (portal) => {
      const body = { url, ...draftOf(options), connection: options.connection };
      const made = await portal.send<Endpoint & { secret: string }>('POST', '/portal/endpoints', body);
      if (options.json) return context.out(jsonText(made));
      context.out(`${made.endpoint_id} receives ${made.kinds.join(', ')}`);
      context.out(`secret: ${made.secret}`);
    }),
  );
}

function changeCommand(command: AddCommand, context: CliContext): void {
  drafted(command('change <endpoint_id>', 'change what it receives; settings that are not given stay as they are'))
    .option('--url <url>', 'its address')
    .addOption(new Option('--state <state>', 'whether changes are sent to it').choices(['active', 'disabled']))
    .action((id: string, options: Draft & { url?: string; state?: string }) =>
      withPortal(context, async (portal) => {
        const { url, state, connection } = options;
        const changed = await portal.send<Endpoint>('PUT', pathOf(id), { url, state, connection, ...draftOf(options) });
        context.out(options.json ? jsonText(changed) : `changed ${id}: ${changed.state}`);
      }),
    );
}

function removeCommand(command: AddCommand, context: CliContext): void {
  command('remove <endpoint_id>', 'stop sending to it, and delete its messages').action(
    (id: string, { connection, json }: Chosen) =>
      withPortal(context, async (portal) => {
        const answer = await portal.send('DELETE', pathOf(id), { connection });
        context.out(json ? jsonText(answer) : `removed ${id}`);
      }),
  );
}

function rotateCommand(command: AddCommand, context: CliContext): void {
  command('rotate <endpoint_id>', 'make a new secret; the old one also signs for one more day').action(
    (id: string, options: Chosen) =>
      posted(context, id, 'rotate', options, (answer: { secret: string; previous_until: string }) => [
        `secret: ${answer.secret}`,
        `the old one also signs until ${answer.previous_until}`,
      ]),
  );
}

function pingCommand(command: AddCommand, context: CliContext): void {
  command('ping <endpoint_id>', 'send it a test message that means nothing').action((id: string, options: Chosen) =>
    posted(context, id, 'ping', options, (answer: { message_id: string }) => [
      `${answer.message_id} is on its way; ./stayd endpoints log ${id} shows the result`,
    ]),
  );
}

function logCommand(command: AddCommand, context: CliContext): void {
  command('log <endpoint_id>', 'list its messages, newest first, with their results')
    .option('--state <state>', 'waiting, delivered, skipped or dead')
    .option('--limit <count>', 'how many', Number, 20)
    .action((id: string, options: Chosen & { state?: string; limit: number }) =>
      withPortal(context, async (portal) => {
        const { connection, state, limit } = options;
        const path = `${pathOf(id)}/messages`;
        const { messages } = await portal.get<{ messages: Message[] }>(path, { connection, state, limit });
        if (options.json) return context.out(jsonText(messages));
        context.out(
          table(['message_id', 'seq', 'kind', 'key', 'state', 'attempts', 'outcome'], messages.map(outcomes)),
        );
      }),
    );
}

function replayCommand(command: AddCommand, context: CliContext): void {
  command('replay <endpoint_id>', 'send messages again: one, or all since a moment')
    .option('--message <message_id>', 'this one')
    .option('--since <moment>', 'everything since: 2027-03-05T12:00:00Z, or a seq of the feed')
    .action((id: string, options: Chosen & { message?: string; since?: string }) => {
      const { message: message_id, since } = options;
      return posted(context, id, 'replay', { ...options, message_id, since }, (answer: { messages: number }) => [
        `${answer.messages} messages are being sent again`,
      ]);
    });
}

function drafted(command: Command): Command {
  return command
    .option('--kind <kinds...>', 'reservation.created, reservation.*, guest_message, deposit_paid, …; left out: *')
    .option('--property <ids>', 'only changes of these properties, such as 1,2,5, or all', propertyIds)
    .option('--persons', 'include names, addresses and texts')
    .option('--no-persons', 'send references instead of personal values')
    .option('--description <text>', 'its purpose');
}

function draftOf({ kind, property, persons, description }: Draft) {
  return { kinds: kind, property_ids: property === 'all' ? null : property, persons, description };
}

function propertyIds(text: string): number[] | 'all' {
  if (text === 'all') return 'all';
  if (!/^\d{1,15}(,\d{1,15})*$/.test(text)) throw new InvalidArgumentError('Write all, or numbers and commas: 1,2,5.');
  return text.split(',').map(Number);
}

function posted<Answer extends object>(
  context: CliContext,
  id: string,
  verb: string,
  { json, ...body }: Chosen & { message_id?: string | undefined; since?: string | undefined },
  lines: (answer: Answer) => string[],
): Promise<void> {
  return withPortal(context, async (portal: Portal) => {
    const answer = await portal.send<Answer>('POST', `${pathOf(id)}/${verb}`, body);
    if (json) return context.out(jsonText(answer));
    for (const line of lines(answer)) context.out(line);
  });
}

function pathOf(id: string): string {
  return `/portal/endpoints/${encodeURIComponent(id)}`;
}

function cells({ endpoint_id, url, kinds, state, failing_since, messages }: Endpoint) {
  const health = state === 'active' && failing_since !== null ? `failing since ${failing_since}` : state;
  return [endpoint_id, url, kinds.join(' '), health, messages.waiting, messages.delivered, messages.dead];
}

function outcomes({ message_id, seq, kind, key, state, attempts, outcome, http_status, next_at }: Message) {
  const last = [outcome, http_status].filter((part) => part !== null).join(' ');
  return [message_id, seq, kind, key, state === 'waiting' && attempts > 0 ? `again ${next_at}` : state, attempts, last];
}
