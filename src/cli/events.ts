import type { Command } from 'commander';
import type { CliContext } from './context.ts';
import { type Chosen, withConnection } from './options.ts';
import { counted, grouped, jsonText, table } from './output.ts';
import { type Portal, withPortal } from './portal.ts';
import { progressDisplay } from './progress.ts';

interface ReceivedEvent {
  event_id: string;
  event: string;
  received_at: string;
  resource: string | null;
  key: string | null;
  state: string;
}

/** Adds `stayd events`: received events, and their replay. */
export function eventCommands(program: Command, context: CliContext): void {
  const events = program.command('events').description('events the daemon has received');
  listCommand(events, context);
  showCommand(events, context);
  replayCommand(events, context);
  quarantinedCommand(events, context);
}

function listCommand(events: Command, context: CliContext): void {
  withConnection(events.command('list'))
    .description('list received events, newest first')
    .option('--state <state>', 'pending, done, unreadable or kept')
    .option('--limit <count>', 'how many', Number, 20)
    .option('--json', 'as JSON')
    .action((options: Chosen & { state?: string; limit: number }) =>
      withPortal(context, async (portal) => {
        const { connection, state, limit } = options;
        const { events: rows } = await portal.get<{ events: ReceivedEvent[] }>('/portal/events', {
          connection,
          state,
          limit,
        });
        if (options.json) return context.out(jsonText(rows));
        const cells = rows.map((row) => [row.received_at, row.event_id, row.event, row.key, row.state]);
        context.out(table(['received', 'event_id', 'event', 'key', 'state'], cells));
      }),
    );
}

function showCommand(events: Command, context: CliContext): void {
  withConnection(events.command('show'))
    .description('show one event with its payload and its result')
    .argument('<event_id>')
    .action((eventId: string, { connection }: Chosen) =>
      withPortal(context, async (portal) => {
        context.out(jsonText(await portal.get(`/portal/events/${encodeURIComponent(eventId)}`, { connection })));
      }),
    );
}

function replayCommand(events: Command, context: CliContext): void {
  withConnection(events.command('replay'))
    .description('read the rows that these events name again')
    .argument('<event_id...>')
    .action((eventIds: string[], { connection }: Chosen) =>
      withPortal(context, async (portal) => {
        const body = { event_ids: eventIds, connection };
        const { replayed } = await portal.send<{ replayed: number }>('POST', '/portal/events/replay', body);
        context.out(`${replayed} of ${eventIds.length} events will be read again`);
        if (replayed < eventIds.length) context.exit(1);
      }),
    );
}

function quarantinedCommand(events: Command, context: CliContext): void {
  withConnection(events.command('quarantined'))
    .description('list quarantined rows, which could not be read; exit code 1 if there are any')
    .option('--retry', 'read their resources again; rows that can be read now leave quarantine')
    .option('--limit <count>', 'how many', Number, 100)
    .option('--json', 'as JSON')
    .action((options: Chosen & { retry?: true; limit: number }) =>
      withPortal(context, async (portal) => {
        const { connection, limit } = options;
        if (options.retry) await readAgain(context, portal, options);
        const { rows } = await portal.get<{ rows: Quarantined[] }>('/portal/quarantine', { connection, limit });
        if (rows.length > 0) context.exit(1);
        if (options.json) return context.out(jsonText(rows));
        if (rows.length === 0) return context.out('nothing is quarantined');
        const cells = rows.map((row) => [row.resource, row.key, row.problem, row.first_seen_at, grouped(row.times)]);
        context.out(table(['resource', 'key', 'field and why', 'since', 'times'], cells));
      }),
    );
}

interface Quarantined {
  resource: string;
  key: string;
  problem: string;
  first_seen_at: string;
  times: number;
}

async function readAgain(context: CliContext, portal: Portal, { connection, json }: Chosen): Promise<void> {
  const display = progressDisplay(context, json === true);
  try {
    await portal.run('/portal/quarantine/retry', { connection }, (progress) => {
      const { resource, rows } = progress as { resource: string; rows: number };
      display.update({ done: rows, total: 0, text: `${resource}: ${counted(rows, 'row')}` });
    });
  } finally {
    display.end();
  }
}
