import type { Command } from 'commander';
import type { CliContext } from './context.ts';
import { counted, grouped, jsonText, table } from './output.ts';
import { withPortal } from './portal.ts';
import { type ReconcilePlan, reconcilePlanText } from './plans.ts';
import { progressDisplay } from './progress.ts';

interface ScanProgress {
  resource: string;
  rows: number;
  total?: number;
}

interface Compared {
  resource: string;
  upstream_total: number;
  compared: number;
  missing: number;
  extra: number;
  different: number;
  examples: { kind: string; key: string; paths: string[] }[];
  problem: string | null;
}

interface Scanned {
  resource: string;
  state: string;
  rows: number;
  total: number;
  requests: number;
  problem: string | null;
  also?: readonly string[];
  quarantined?: number;
  mended?: string;
}

/** Adds `stayd verify`, which compares every row of the mirror with its source. The exit code is 1 if one differs. */
export function verifyCommand(program: Command, context: CliContext): void {
  program
    .command('verify')
    .description('compare every mirrored row with its source; exit code 1 when anything differs')
    .option('--connection <name>', 'which account; needed when several are mirrored')
    .option('--json', 'as JSON')
    .action(async (options: { connection?: string; json?: true }) => {
      const report = await runScan<{ clean: boolean; resources: Compared[] }>(context, '/portal/verify', options);
      context.out(options.json ? jsonText(report) : comparison(report.resources, report.clean));
      if (!report.clean) context.exit(1);
    });
}

/** Adds `stayd reconcile`, which reads a resource or all of them and repairs differences. */
export function reconcileCommand(program: Command, context: CliContext): void {
  program
    .command('reconcile')
    .description('read a resource or all of them from the source and repair differences')
    .argument('[resource]', 'reservation, transaction, property, availability, …')
    .option('--plan', 'only show the cost of keeping the mirror fresh, and the resulting ages')
    .option('--listings <number>', 'with --plan: assume this number of listings')
    .option('--bookings <number>', 'with --plan: assume this number of bookings')
    .option('--connection <name>', 'which account; needed when several are mirrored')
    .option('--json', 'as JSON')
    .action(async (resource: string | undefined, options: ReconcileOptions) => {
      if (options.plan) return planOfReconciliation(context, options);
      const { connection, json } = options;
      const asked = { resource, ...(connection !== undefined && { connection }), ...(json && { json }) };
      print(context, await runScan(context, '/portal/reconcile', asked), options);
    });
}

/** Adds `stayd rebuild-mirror`, which reads everything and writes all rows again. Events, history and feed continue. */
export function rebuildMirrorCommand(program: Command, context: CliContext): void {
  program
    .command('rebuild-mirror')
    .description('read everything and write all rows of the mirror again; events, history and feed continue')
    .option('--connection <name>', 'which account; needed when several are mirrored')
    .option('--json', 'as JSON')
    .action(async (options: { connection?: string; json?: true }) => {
      print(context, await runScan(context, '/portal/rebuild_mirror', options), options);
    });
}

function print(context: CliContext, report: { resources: Scanned[] }, { json }: { json?: true }): void {
  if (report.resources.some((one) => one.state !== 'done' || one.quarantined !== undefined)) context.exit(1);
  if (json) return context.out(jsonText(report));
  const rows = report.resources.map((one) => [
    [one.resource, ...(one.also ?? [])].join(', '),
    grouped(one.rows),
    grouped(one.total),
    grouped(one.requests),
    outcomeOf(one),
  ]);
  context.out(table(['resource', 'rows read', 'upstream', 'requests', 'outcome'], rows));
}

function outcomeOf({ state, problem, quarantined, mended }: Scanned): string {
  const aside = quarantined && `${counted(quarantined, 'row')} quarantined: ./stayd events quarantined`;
  return [problem ?? state, aside, mended].filter(Boolean).join('; ');
}

interface ReconcileOptions {
  plan?: true;
  listings?: string;
  bookings?: string;
  connection?: string;
  json?: true;
}

async function planOfReconciliation(context: CliContext, options: ReconcileOptions): Promise<void> {
  const { connection, listings, bookings } = options;
  const plan = await withPortal(context, (portal) =>
    portal.get<ReconcilePlan>('/portal/reconcile/plan', { connection, listings, bookings }),
  );
  context.out(options.json ? jsonText(plan) : reconcilePlanText(plan));
}

function runScan<T>(
  context: CliContext,
  path: string,
  options: { connection?: string; resource?: string | undefined; json?: true },
): Promise<T> {
  const display = progressDisplay(context, options.json === true);
  const { connection, resource } = options;
  return withPortal(context, (portal) =>
    portal.run<T>(path, { connection, resource }, (progress) => {
      const { resource: name, rows, total = 0 } = progress as unknown as ScanProgress;
      display.update({ done: rows, total, text: `${name}: ${counted(rows, 'row')}` });
    }),
  ).finally(() => display.end());
}

function comparison(resources: readonly Compared[], clean: boolean): string {
  const rows = resources.map((one) => [
    one.resource,
    ...[one.upstream_total, one.compared, one.missing, one.extra, one.different].map(grouped),
  ]);
  const notes = resources.flatMap((one) => [
    ...(one.problem === null ? [] : [`  ${one.resource}: ${one.problem}`]),
    ...one.examples.map(({ kind, key, paths }) => `  ${one.resource} ${key} ${kind}: ${paths.join(', ')}`),
  ]);
  return [
    table(['resource', 'upstream', 'compared', 'missing', 'extra', 'different'], rows),
    ...notes,
    clean ? 'the mirror equals its source' : 'the mirror differs from its source; ./stayd reconcile mends it',
  ].join('\n');
}
