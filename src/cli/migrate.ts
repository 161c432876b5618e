import type { Command } from 'commander';
import type { CliContext } from './context.ts';

/** Adds `stayd migrate`, which migrates both databases to this version. `start` does the same. */
export function migrateCommand(program: Command, context: CliContext): void {
  program
    .command('migrate')
    .description('migrate both databases to this version; start does so by itself')
    .action(async () => {
      const { migrateStores } = await import('../compose/stores/migrateStores.ts');
      const applied = await migrateStores(await context.loadConfig());
      context.out(applied.length === 0 ? 'both databases are up to date' : `applied ${applied.join(', ')}`);
    });
}
