import type { Command } from 'commander';
import type { CliContext } from './context.ts';
import { grouped, jsonText, table } from './output.ts';
import { withPortal } from './portal.ts';
import { progressDisplay } from './progress.ts';

interface WalkProgress {
  resource: string;
  rows: number;
  total?: number;
}

interface Compared {
  upstream_total: number;
  compared: number;
  missing: number;
  extra: number;
  different: number;
  examples?: { key: string; problem: string }[];
}

interface Walked {
  rows: number;
  requests: number;
  created: number;
  updated: number;
  deleted: number;
}

export function verifyCommand(program: Command, context: CliContext): void {
  program
    .command('verify')
    .description('compare every mirrored row with its source; exit code 1 when anything differs')
    .option('--connection <name>', 'which account; needed when several are mirrored')
    .option('--json', 'as JSON')
    .action(async (options: { connection?: string; json?: true }) => {
      const report = await runWalk<{ clean: boolean; resources: Record<string, Compared> }>(
        context,
        '/portal/verify',
        options,
      );
      context.out(options.json ? jsonText(report) : comparison(report.resources, report.clean));
      if (!report.clean) context.exit(1);
    });
}

export function reconcileCommand(program: Command, context: CliContext): void {
  program
    .command('reconcile')
    .description('read a resource, or all of them, from its source and mend what differs')
    .argument('[resource]', 'reservation, transaction, property, availability, …')
    .option('--connection <name>', 'which account; needed when several are mirrored')
    .option('--json', 'as JSON')
    .action(async (resource: string | undefined, options: { connection?: string; json?: true }) => {
      const report = await runWalk<{ resources: Record<string, Walked> }>(context, '/portal/reconcile', {
        ...options,
        resource,
      });
      if (options.json) return context.out(jsonText(report));
      const rows = Object.entries(report.resources).map(([name, one]) => [
        name,
        ...[one.rows, one.created, one.updated, one.deleted, one.requests].map(grouped),
      ]);
      context.out(table(['resource', 'rows', 'created', 'updated', 'deleted', 'requests'], rows));
    });
}

function runWalk<T>(
  context: CliContext,
  path: string,
  options: { connection?: string; resource?: string | undefined; json?: true },
): Promise<T> {
  const display = progressDisplay(context, options.json === true);
  const { connection, resource } = options;
  return withPortal(context, (portal) =>
    portal.run<T>(path, { connection, resource }, (progress) => {
      const { resource: name, rows, total = 0 } = progress as unknown as WalkProgress;
      display.update({ done: rows, total, text: `${name}: ${grouped(rows)} rows` });
    }),
  ).finally(() => display.end());
}

function comparison(resources: Record<string, Compared>, clean: boolean): string {
  const rows = Object.entries(resources).map(([name, one]) => [
    name,
    ...[one.upstream_total, one.compared, one.missing, one.extra, one.different].map(grouped),
  ]);
  const examples = Object.entries(resources).flatMap(([name, one]) =>
    (one.examples ?? []).map((example) => `  ${name} ${example.key}: ${example.problem}`),
  );
  return [
    table(['resource', 'upstream', 'compared', 'missing', 'extra', 'different'], rows),
    ...examples,
    clean ? 'the mirror equals its source' : 'the mirror differs from its source; ./stayd reconcile mends it',
  ].join('\n');
}
