import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { Command } from 'commander';
import type { ImportProgress, ImportReport } from '../compose/core/imports.ts';
import { packageRoot } from '../kernel/program/packageRoot.ts';
import { UsageError } from '../kernel/errors.ts';
import type { CliContext } from './context.ts';
import { counted, grouped, jsonText } from './output.ts';
import { withCore } from './portal.ts';
import { progressDisplay } from './progress.ts';

interface ImportOptions {
  mapping?: string;
  guess?: true;
  account?: string;
  rejects?: string;
  events: boolean;
  json?: true;
}

/** Adds `stayd import`, which imports reservations from CSV files and workbooks. */
export function importCommand(program: Command, context: CliContext): void {
  program
    .command('import')
    .description('import exports of other systems')
    .command('bookings')
    .description('import bookings from a CSV file, plain or gzipped, or an XLSX workbook')
    .argument('<file>', 'the file; its format is recognized by its content')
    .option('--mapping <file>', 'describes its columns: a file, or a name from config/imports')
    .option('--guess', 'propose a mapping and show five rows; nothing is stored')
    .option('--account <name>', 'which account; needed when there are several')
    .option('--rejects <file>', 'file for refused rows (default: <file>.rejects.csv beside the data)')
    .option('--no-events', 'load silently: no events are sent')
    .option('--json', 'print the control totals as JSON')
    .action((file: string, options: ImportOptions) => importReservations(context, resolve(file), options));
}

async function importReservations(context: CliContext, file: string, options: ImportOptions): Promise<void> {
  if (!existsSync(file)) throw new UsageError(`there is no file ${file}`);
  if (options.guess) {
    const { guessMapping, readMapping } = await import('../compose/core/imports.ts');
    const presets = presetNames().map((name) => {
      return { name, mapping: readMapping(readFileSync(presetFile(name), 'utf8'), `${name}.yaml`) };
    });
    return context.out(await guessMapping(file, presets));
  }
  if (options.mapping === undefined) {
    throw new UsageError('--mapping is missing', 'name a mapping file, or let --guess propose one');
  }
  const mapping = mappingFile(options.mapping);
  const rejects = resolve(
    options.rejects ?? join((await context.loadConfig()).data_dir, `${basename(file)}.rejects.csv`),
  );
  const display = progressDisplay(context, options.json === true);
  const report = await withCore(context, (portal) =>
    portal.run<ImportReport>(
      '/portal/imports/bookings',
      {
        account: options.account,
        path: file,
        rejects_path: rejects,
        mapping: readFileSync(mapping, 'utf8'),
        mapping_name: mapping,
        events: options.events,
      },
      (progress) => showProgress(progress as unknown as ImportProgress, display),
    ),
  );
  display.end();
  context.out(options.json ? jsonText(report) : summary(report));
  if (report.conflicts.length > 0 || report.changed_rows > 0 || !report.complete) context.exit(1);
}

/** Returns the given path, or the path of a mapping that ships with stayd. */
function mappingFile(given: string): string {
  if (existsSync(resolve(given))) return resolve(given);
  if (presetNames().includes(given)) return presetFile(given);
  throw new UsageError(
    `there is no mapping ${given}`,
    `let --guess propose one, or take one that comes with stayd: ${presetNames().join(', ')}`,
  );
}

function presetFile(name: string): string {
  return join(packageRoot(), 'config', 'imports', `${name}.yaml`);
}

function presetNames(): string[] {
  return readdirSync(join(packageRoot(), 'config', 'imports'))
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => basename(file, '.yaml'));
}

function showProgress(progress: ImportProgress, display: ReturnType<typeof progressDisplay>): void {
  const doing = progress.phase === 'reading' ? 'reading and planning' : 'storing';
  display.update({ done: progress.bytes, total: progress.size, text: `${doing}: ${counted(progress.rows, 'row')}` });
}

function summary(report: ImportReport): string {
  const { held, cancelled, rejected } = report.totals;
  const money = (amounts: Record<string, string>) =>
    Object.entries(amounts)
      .map(([currency, amount]) => `${currency} ${amount}`)
      .join(', ') || 'no amount';
  const lines = [
    `${counted(report.created, 'booking')} stored in ${grouped(report.properties)} ${report.properties === 1 ? 'property' : 'properties'}`,
    `  held       ${counted(held.bookings, 'booking')}, ${counted(held.nights, 'night')}, ${money(held.amount)}`,
    `  cancelled  ${counted(cancelled.bookings, 'booking')}, ${counted(cancelled.nights, 'night')}, ${money(cancelled.amount)}`,
    `  refused    ${counted(rejected.rows, 'row')}${report.rejects_file === null ? '' : `, written to ${report.rejects_file}`}`,
  ];
  for (const [remark, { rows, line, value }] of Object.entries(report.totals.remarks)) {
    lines.push(`  remarked   ${counted(rows, 'row')}: ${remark} (first on line ${line}: ${value})`);
  }
  if (report.due_incomes > 0)
    lines.push(`${counted(report.due_incomes, 'income')} of earlier runs booked, since the day has come`);
  if (report.awaited.bookings > 0) {
    const { bookings, amount } = report.awaited;
    lines.push(
      `${money(amount)} of ${counted(bookings, 'stay')} ahead is not booked as received; a run of the file after the day does it`,
    );
  }
  if (report.unchanged > 0) lines.push(`${counted(report.unchanged, 'row')} imported before and the same`);
  if (report.changed_rows > 0) {
    lines.push(`${counted(report.changed_rows, 'row')} imported before and saying something else now; left as before:`);
    for (const row of report.changed.slice(0, 10)) lines.push(`  line ${row.line}: ${row.reservation_code}`);
  }
  for (const conflict of report.conflicts.slice(0, 10)) lines.push(`  line ${conflict.line}: ${conflict.reason}`);
  if (!report.complete) lines.push('stopped before the end; run the same command again to go on');
  return lines.join('\n');
}
