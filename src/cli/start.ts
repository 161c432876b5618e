import type { Command } from 'commander';
import type { CliContext } from './context.ts';

/** Adds `stayd start`, which runs the service until Ctrl-C. */
export function startCommand(program: Command, context: CliContext): void {
  program
    .command('start')
    .description('run the service until Ctrl-C')
    .action(async () => {
      const { runService } = await import('../compose/runService.ts');
      const { loadConfig } = await import('../config.ts');
      await runService(loadConfig(), { ...context, loadConfig });
    });
}
