import type { Command } from 'commander';
import { runningControl } from '../compose/forCommand.ts';
import { UsageError } from '../kernel/errors.ts';
import type { CliContext } from './context.ts';
import { reloaded } from './firstRead.ts';
import { counted, jsonText } from './output.ts';
import { withPortal } from './portal.ts';
import { progressDisplay } from './progress.ts';

interface Options {
  deleteRows?: true;
  yes?: true;
  json?: true;
}

/** What was done with a connection. */
interface Report {
  connection: string;
  /** The settings file that it was taken out of; null: it was in none. */
  removed_from: string | null;
  /** Deleted rows; null: they stay. */
  rows: number | null;
}

/** Adds `stayd disconnect`: ends the mirroring of another deployment, and deletes the rows if that is wanted. */
export function disconnectCommand(program: Command, context: CliContext): void {
  program
    .command('disconnect')
    .description('stop mirroring another deployment; its rows stay unless you delete them')
    .argument('<name>', 'name of the connection')
    .option('--delete-rows', 'delete all that was mirrored: rows, history, plans, books and what was sent')
    .option('--yes', 'do not ask for confirmation')
    .option('--json', 'as JSON')
    .action((name: string, options: Options) => disconnect(name, options, context));
}

async function disconnect(name: string, options: Options, context: CliContext): Promise<void> {
  const config = await context.loadConfig();
  const isSet = name in config.connections;
  if (!isSet && name === 'upstream' && config.upstream.url !== null) {
    throw new UsageError('upstream is the short form of a connection', 'take upstream.url out of the settings');
  }
  if (!isSet && !options.deleteRows) {
    const names = Object.keys(config.connections).join(', ') || 'none';
    throw new UsageError(
      `no connection ${name} is set; there are ${names}`,
      './stayd account change NAME --mirrored off stops the mirror of an account of the core here',
    );
  }
  if (options.deleteRows) await confirm(name, options, context);
  const removedFrom = isSet ? await takeOut(name, context) : null;
  const rows = options.deleteRows ? await deleteRows(name, options, context) : null;
  const report: Report = { connection: name, removed_from: removedFrom, rows };
  if (options.json) return context.out(jsonText(report));
  if (removedFrom !== null) context.out(`took connections.${name} out of ${removedFrom}; it is not read any more`);
  context.out(
    rows === null
      ? `its rows stay; ./stayd disconnect ${name} --delete-rows deletes them`
      : `deleted ${counted(rows, 'row')} of ${name}`,
  );
}

async function confirm(name: string, { yes }: Options, context: CliContext): Promise<void> {
  if (yes) return;
  if (!context.ask) throw new UsageError('nobody can be asked here', 'give --yes');
  context.err(
    `This deletes everything that was mirrored as ${name}, also its books and the memory of what was sent to guests.`,
  );
  const answer = await context.ask(`This cannot be undone. Type ${name} to delete it: `);
  if (answer.trim() !== name) throw new UsageError('nothing was changed', 'the name was not typed');
}

/** Takes the connection out of the settings, and lets a running service end it. @returns the file */
async function takeOut(name: string, context: CliContext): Promise<string> {
  const { loadConfig, ownConfigFile } = await import('../config.ts');
  const { removeConnection } = await import('../compose/connect/remove.ts');
  const { file } = ownConfigFile();
  const config = removeConnection({ file, name, loadConfig });
  const running = await runningControl(config);
  if (running) await reloaded(config, running, context);
  return file;
}

async function deleteRows(name: string, { json }: Options, context: CliContext): Promise<number> {
  const display = progressDisplay(context, json === true);
  try {
    const { rows } = await withPortal(context, (portal) =>
      portal.run<{ rows: number }>('/portal/connections/delete', { connection: name }, (progress) => {
        const done = Number(progress['rows']);
        display.update({ done, total: done, text: `deleting ${String(progress['table'])}` });
      }),
    );
    return rows;
  } finally {
    display.end();
  }
}
