import type { Command } from 'commander';
import type { CliContext } from './context.ts';
import { grouped, jsonText, table } from './output.ts';
import { type BackfillPlan, backfillPlanText } from './plans.ts';
import { withPortal } from './portal.ts';
import { progressDisplay } from './progress.ts';

interface Report {
  plan: BackfillPlan;
  resources: {
    resource: string;
    part?: string;
    rows: number;
    requests: number;
    state: string;
    problem: string | null;
  }[];
  checks: { status: string; from: string | null; to: string | null; upstream: number; mirrored: number }[];
  finished_at: string;
}

interface Progress {
  resource: string;
  done: number;
  planned: number;
  finish_at: string;
}

/** Adds `stayd backfill`: the first complete read of an account, or its plan. An interrupted backfill continues. */
export function backfillCommand(program: Command, context: CliContext): void {
  program
    .command('backfill')
    .description('read everything from the source, the most useful first; continues after an interruption')
    .option('--plan', 'only show its cost and expected end')
    .option('--connection <name>', 'which account; needed when several are mirrored')
    .option('--json', 'as JSON')
    .action(async (options: { plan?: true; connection?: string; json?: true }) => {
      const { connection } = options;
      if (options.plan) {
        const plan = await withPortal(context, (portal) =>
          portal.send<BackfillPlan>('POST', '/portal/backfill/plan', { connection }),
        );
        return context.out(options.json ? jsonText(plan) : backfillPlanText(plan));
      }
      const display = progressDisplay(context, options.json === true);
      const report = await withPortal(context, (portal) =>
        portal.run<Report>('/portal/backfill', { connection }, (said) => {
          const { resource, done, planned, finish_at } = said as unknown as Progress;
          display.update({ done, total: planned, text: `${resource}, expected to be over at ${finish_at}` });
        }),
      ).finally(() => display.end());
      context.out(options.json ? jsonText(report) : reportText(report));
      if (!isWell(report)) context.exit(1);
    });
}

function isWell({ resources, checks }: Report): boolean {
  return resources.every((one) => one.state === 'done') && checks.every((one) => one.upstream === one.mirrored);
}

function reportText({ plan, resources, checks, finished_at }: Report): string {
  const rows = resources.map(({ resource, part, rows: read, requests, state, problem }) => [
    part === undefined ? resource : `${resource}, ${part}`,
    grouped(read),
    grouped(requests),
    problem ?? state,
  ]);
  const counts = checks
    .filter((one) => one.upstream + one.mirrored > 0)
    .map((one) => [one.from === null ? 'all' : `${one.from} to ${one.to}`, one.status, one.upstream, one.mirrored]);
  return [
    table(['resource', 'rows read', 'requests', 'outcome'], rows),
    '',
    table(['stays by check-out', 'status', 'upstream', 'mirrored'], counts),
    `over at ${finished_at}; expected at ${plan.finish_at}`,
  ].join('\n');
}
