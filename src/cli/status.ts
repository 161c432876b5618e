import type { Command } from 'commander';
import type { CliContext } from './context.ts';
import { jsonText } from './output.ts';
import { withPortal } from './portal.ts';
import { statusText } from './statusText.ts';

export function statusCommand(program: Command, context: CliContext): void {
  program
    .command('status')
    .description('how the service and its mirror are')
    .option('--connection <name>', 'one account only')
    .option('--json', 'as JSON')
    .action((options: { connection?: string; json?: true }) =>
      withPortal(context, async (portal) => {
        const status = await portal.get<Record<string, unknown>>('/portal/status', { connection: options.connection });
        context.out(options.json ? jsonText(status) : statusText(status));
      }),
    );
}
