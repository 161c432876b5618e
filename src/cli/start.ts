import type { Command } from 'commander';
import type { CliContext } from './context.ts';

export function startCommand(program: Command, context: CliContext): void {
  program
    .command('start')
    .description('run the service until Ctrl-C')
    .action(async () => {
      const { runService } = await import('../compose/runService.ts');
      await runService(context.loadConfig(), context);
    });
}
