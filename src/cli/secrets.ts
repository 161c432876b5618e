import type { Command } from 'commander';
import type { CliContext } from './context.ts';
import { jsonText } from './output.ts';

/** Adds `stayd secrets`: rotation of the key that encrypts stored secrets. */
export function secretsCommands(program: Command, context: CliContext): void {
  const secrets = program.command('secrets').description('the key that encrypts stored secrets');
  secrets
    .command('rotate')
    .description('make a new key and encrypt every stored secret with it; stayd must not be running')
    .option('--key-file <file>', 'file for the new key, if the current one is in STAYD_SECRET_KEY')
    .option('--json', 'as JSON')
    .action(async ({ keyFile, json }: { keyFile?: string; json?: true }) => {
      const { rotateSecrets } = await import('../compose/privacy/rotateSecrets.ts');
      const { keyId, ...rotated } = await rotateSecrets(await context.loadConfig(), keyFile);
      const { webhooks, shareLinks, lockCodes, secondFactors, connections, endpoints } = rotated;
      const counts = {
        webhooks,
        calendar_share_links: shareLinks,
        lock_codes: lockCodes,
        second_factors: secondFactors,
        connections,
        endpoints,
      };
      if (json) return context.out(jsonText({ key: keyId, ...counts }));
      const list = Object.entries(counts).map(([what, count]) => `${count} ${what.replaceAll('_', ' ')}`);
      context.out(`encrypted with the new key ${keyId}: ${list.join(', ')}`);
      if (keyFile !== undefined)
        context.out(`from now on start with STAYD_SECRET_KEY set to what stands in ${keyFile}`);
    });
}
