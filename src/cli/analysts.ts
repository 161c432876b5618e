import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { messageOf, UsageError } from '../kernel/errors.ts';
import type { CliContext } from './context.ts';
import { jsonText, table } from './output.ts';

interface GrantOptions {
  persons?: true;
  passwordFile?: string;
  sql?: true;
}

/** Adds `stayd analysts`: who reads the views for BI tools, on PostgreSQL. */
export function analystCommands(program: Command, context: CliContext): void {
  const analysts = program.command('analysts').description('roles of PostgreSQL that read the views for BI tools');
  analysts
    .command('list')
    .description('list them, and who of them sees personal data')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: true }) => {
      const { listAnalysts } = await import('../compose/analytics/roles.ts');
      const rows = await listAnalysts(await context.loadConfig());
      if (json) return context.out(jsonText(rows));
      context.out(
        table(
          ['role', 'personal data'],
          rows.map(({ role, persons }) => [role, persons ? 'yes' : 'no']),
        ),
      );
    });
  analysts
    .command('grant')
    .argument('<role>', 'name of the role, such as grafana; made if it is not there')
    .description('let a role read the views, without personal data unless you say so; it never writes')
    .option('--persons', 'with personal data')
    .option('--password-file <file>', 'its password; - for the standard input. Else you are asked if the role is new')
    .option('--sql', 'change nothing, and print the SQL for an administrator')
    .action((role: string, options: GrantOptions) => grant(context, role, options));
  analysts
    .command('revoke')
    .argument('<role>', 'name of the role')
    .description('take the views from a role, and its login if stayd made it')
    .action(async (role: string) => {
      const { revokeAnalyst } = await import('../compose/analytics/roles.ts');
      await revokeAnalyst(await context.loadConfig(), role);
      context.out(`${role} reads no views any more`);
    });
}

async function grant(context: CliContext, role: string, options: GrantOptions): Promise<void> {
  const { grantAnalyst, grantText } = await import('../compose/analytics/roles.ts');
  const persons = options.persons === true;
  const { passwordFile } = options;
  const order = {
    role,
    persons,
    password: () => passwordOf(context, role, passwordFile),
    changesPassword: passwordFile !== undefined,
  };
  const config = await context.loadConfig();
  if (options.sql) return context.out((await grantText(config, order)).trimEnd());
  const { created } = await grantAnalyst(config, order);
  context.out(
    `${role} ${created ? 'is there, and reads' : 'reads'} the views, ${persons ? 'with' : 'without'} personal data`,
  );
}

async function passwordOf(context: CliContext, role: string, file: string | undefined): Promise<string> {
  if (file === undefined) {
    if (!context.ask)
      throw new UsageError('password: is missing, and nobody can be asked here', 'give --password-file');
    return context.ask(`Password of ${role} (not shown): `, { unseen: true });
  }
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    throw new UsageError(`--password-file: cannot read ${file}: ${messageOf(error)}`, undefined, error);
  }
}
