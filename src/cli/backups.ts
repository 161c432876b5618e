import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { systemClock } from '../kernel/clock.ts';
import { UsageError } from '../kernel/errors.ts';
import type { CliContext } from './context.ts';
import { counted, jsonText } from './output.ts';

interface Options {
  json?: true;
}

/** Adds `stayd backups`: the backups at the place that the settings name. */
export function backupsCommands(program: Command, context: CliContext): void {
  const backups = program.command('backups').description('the backups that stayd makes by itself (backup.to)');

  async function planned() {
    const config = await context.loadConfig();
    const { requiredPlan } = await import('../compose/backup/schedule/plan.ts');
    return { config, plan: await requiredPlan(config) };
  }

  backups
    .command('list')
    .description('the backups, the newest first')
    .option('--json', 'as JSON')
    .action(async ({ json }: Options) => {
      const { plan } = await planned();
      const { backupsAmong } = await import('../compose/backup/schedule/names.ts');
      const found = backupsAmong(await plan.place.list());
      if (json) return context.out(jsonText(found));
      if (found.length === 0) return context.out(`no backup in ${plan.place.name}`);
      for (const { name, made_at } of found) context.out(`${made_at}  ${name}`);
    });

  backups
    .command('run')
    .description('make one now, and remove those that are no longer kept')
    .option('--json', 'as JSON')
    .action(async ({ json }: Options) => {
      const { config, plan } = await planned();
      const { recordedBackup } = await import('../compose/backup/schedule/recorded.ts');
      const made = await recordedBackup(config, plan, systemClock);
      if (json) return context.out(jsonText(made));
      context.out(`made ${made.name} (${(made.bytes / 1024 / 1024).toFixed(1)} MB) in ${made.place}`);
      if (made.removed.length > 0) context.out(`removed ${counted(made.removed.length, 'older backup')}`);
    });

  backups
    .command('drill')
    .description('restore a backup to a place of its own, check it whole, and remove it')
    .argument('[name]', 'the newest if left out')
    .option('--json', 'as JSON')
    .action(async (wanted: string | undefined, { json }: Options) => {
      const { config, plan } = await planned();
      const { recordedDrill } = await import('../compose/backup/schedule/recorded.ts');
      const drilled = await recordedDrill(config, plan, { wanted, clock: systemClock });
      if (json) return context.out(jsonText(drilled));
      const { core, mirror } = drilled.reservations;
      context.out(`${drilled.name} can be restored: it took ${drilled.seconds} s`);
      context.out(`  ${counted(core, 'reservation')} in the core, ${counted(mirror, 'reservation')} in the mirror`);
    });

  backups
    .command('get')
    .description('fetch a backup into a file, for ./stayd restore')
    .argument('<name>', 'as ./stayd backups list says')
    .argument('[file]', 'a new file; the same name in this folder if left out')
    .action(async (name: string, file: string | undefined) => {
      const { plan } = await planned();
      const { chosen } = await import('../compose/backup/schedule/drill.ts');
      const target = resolve(file ?? name);
      if (existsSync(target)) throw new UsageError(`${target} is there already`, 'choose the name of a new file');
      await chosen(plan, name);
      await plan.place.fetch(name, target);
      context.out(target);
    });
}
