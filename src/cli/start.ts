import type { Command } from 'commander';
import { runService } from '../compose/runService.ts';
import type { CliContext } from './context.ts';

export function startCommand(program: Command, context: CliContext): void {
  program
    .command('start')
    .description('run the service until Ctrl-C')
    .action(() => runService(context.loadConfig(), context));
}
