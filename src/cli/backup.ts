import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { KeyState } from '../compose/backup/restore.ts';
import { systemClock } from '../kernel/clock.ts';
import type { CliContext } from './context.ts';
import { jsonText } from './output.ts';
import { progressDisplay } from './progress.ts';

export function backupCommand(program: Command, context: CliContext): void {
  program
    .command('backup')
    .description('write both databases, as they are now, into one new file; the service may be running')
    .argument('<file>', 'the file to write, such as backup-2027-03-05.tar.gz; without .gz it is not packed')
    .option('--json', 'as JSON')
    .action(async (file: string, options: { json?: true }) => {
      const display = progressDisplay(context, options.json === true);
      const { backup } = await import('../compose/backup/backup.ts');
      const report = await backup(context.loadConfig(), resolve(file), {
        clock: systemClock,
        onProgress: ({ half, copied, total }) => display.update({ done: copied, total, text: `${half}.db` }),
      }).finally(() => display.end());
      if (options.json) return context.out(jsonText(report));
      context.out(`backed up to ${report.file} (${megabytes(report.bytes)})`);
      context.out(leftOut(report.key_id));
    });
}

export function restoreCommand(program: Command, context: CliContext): void {
  program
    .command('restore')
    .description('bring a backup into an empty data directory; the service must not be running')
    .argument('<file>', 'what ./stayd backup has written')
    .option('--json', 'as JSON')
    .action(async (file: string, options: { json?: true }) => {
      const { restore } = await import('../compose/backup/restore.ts');
      const report = await restore(context.loadConfig(), resolve(file), { clock: systemClock });
      if (options.json) {
        context.out(jsonText({ data_dir: report.data_dir, secret_key: report.secret_key, ...report.manifest }));
        return;
      }
      context.out(`restored the backup of ${report.manifest.made_at} into ${report.data_dir}`);
      context.out('at the next start the mirror catches up; automations are disarmed until you arm them');
      const problem = keyProblem(report.secret_key, report.manifest.key_id);
      if (problem !== undefined) context.err(problem);
    });
}

function leftOut(keyId: string | null): string {
  return keyId === null
    ? 'there is no secret key here, so none has to be kept'
    : `the secret key (${keyId}) is left out: keep secret.key, or STAYD_SECRET_KEY, in another place`;
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
