import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { KeyState } from '../compose/backup/restore.ts';
import { systemClock } from '../kernel/clock.ts';
import type { CliContext } from './context.ts';
import { counted, jsonText } from './output.ts';
import { progressDisplay } from './progress.ts';

/** Adds `stayd backup`, which writes both databases into one file while the service may run. */
export function backupCommand(program: Command, context: CliContext): void {
  program
    .command('backup')
    .description('write the current state of both databases into one new file; the service may be running')
    .argument('<file>', 'the file to write, such as backup-2027-03-05.tar.gz; without .gz it is not packed')
    .option('--json', 'as JSON')
    .action(async (file: string, options: { json?: true }) => {
      const display = progressDisplay(context, options.json === true);
      const { backup } = await import('../compose/backup/backup.ts');
      const report = await backup(await context.loadConfig(), resolve(file), {
        clock: systemClock,
        onProgress: ({ half, copied, total }) => display.update({ done: copied, total, text: `${half}.db` }),
      }).finally(() => display.end());
      if (options.json) return context.out(jsonText(report));
      context.out(`backed up to ${report.file} (${megabytes(report.bytes)})`);
      context.out(leftOut(report.key_id));
    });
}

/** Adds `stayd restore`, which restores a backup into an empty data directory while no service runs. */
export function restoreCommand(program: Command, context: CliContext): void {
  program
    .command('restore')
    .description('restore a backup into an empty data directory; the service must not be running')
    .argument('<file>', 'a file written by ./stayd backup')
    .option('--erasures <path>', 'erasures after the backup: an erasures.log, its data directory, or a later backup')
    .option('--loaded', 'on PostgreSQL, after pg_restore: rules are held until you arm them')
    .option('--json', 'as JSON')
    .action(async (file: string, options: { json?: true; erasures?: string; loaded?: true }) => {
      if (options.loaded) {
        const { settleLoaded } = await import('../compose/backup/settleRestored.ts');
        await settleLoaded(await context.loadConfig(), { file, clock: systemClock });
        return context.out(
          options.json ? jsonText({ file, loaded: true }) : 'automations are disarmed until you arm them',
        );
      }
      const { restore } = await import('../compose/backup/restore.ts');
      const erasures = options.erasures === undefined ? undefined : resolve(options.erasures);
      const report = await restore(await context.loadConfig(), resolve(file), { clock: systemClock, erasures });
      if (options.json) {
        const { data_dir, secret_key, erasures: later } = report;
        context.out(
          jsonText({ ...report.manifest, made_of: report.manifest.data_dir, data_dir, secret_key, erasures: later }),
        );
        return;
      }
      context.out(`restored the backup of ${report.manifest.made_at} into ${report.data_dir}`);
      context.out('at the next start the mirror catches up; automations are disarmed until you arm them');
      if (report.erasures.from === null) context.err(noErasures(report.manifest.made_at));
      else context.out(erasuresText(report.erasures.from, report.erasures.again));
      const problem = keyProblem(report.secret_key, report.manifest.key_id);
      if (problem !== undefined) context.err(problem);
    });
}

function leftOut(keyId: string | null): string {
  return keyId === null
    ? 'there is no secret key here, so none has to be kept'
    : `the secret key (${keyId}) is left out: keep secret.key, or STAYD_SECRET_KEY, in another place`;
}

function erasuresText(from: string, again: number): string {
  return again === 0
    ? `nobody was erased after the backup, by the record in ${from}`
    : `${counted(again, 'erasure')} made after the backup will be carried out again at the next start, by the record in ${from}`;
}

function noErasures(madeAt: string): string {
  return (
    `no record of later erasures was found: whoever was erased after ${madeAt} is in this mirror again. ` +
    'If there is one, put the erasures.log of the old data directory into the new one before you start'
  );
}

function keyProblem(state: KeyState, keyId: string | null): string | undefined {
  if (state === 'missing') return `before you start: put the secret.key with the id ${keyId} into the data directory`;
  if (state === 'other')
    return `before you start: the key here is another one; bring back the one with the id ${keyId}`;
  return undefined;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
