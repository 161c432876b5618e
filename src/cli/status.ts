import type { Command } from 'commander';
import type { ConnectionStatus, ServiceStatus } from '../client/status.ts';
import type { CliContext } from './context.ts';
import { counted, jsonText, span } from './output.ts';
import { type Portal, withPortal } from './portal.ts';
import { summaryOf, troublesOf, verdict } from './statusSummary.ts';
import { statusText } from './statusText.ts';

/** Adds `stayd status`: the state of the service, its mirrors and their problems. */
export function statusCommand(program: Command, context: CliContext): void {
  program
    .command('status')
    .description('show the state of the service and its mirror')
    .option('--connection <name>', 'one account only')
    .option('--verbose', 'everything, as tables')
    .option('--json', 'as JSON')
    .action((options: { connection?: string; verbose?: true; json?: true }) =>
      withPortal(context, async (portal) => {
        const status = await portal.get<ServiceStatus>('/portal/status', { connection: options.connection });
        const accounts = portal.hasCore && options.connection === undefined ? await accountsOf(portal) : [];
        const left = notMirrored(accounts, status);
        const held = accounts.filter((account) => account.automations_held !== null);
        if (options.json) {
          const accounts_held = Object.fromEntries(held.map((one) => [one.name, one.automations_held]));
          return context.out(jsonText({ ...status, accounts_not_mirrored: left, accounts_held }));
        }
        const { alarms = [], ...rest } = status;
        const connections = Object.entries(status.connections);
        if (options.verbose) context.out(statusText(rest));
        else for (const [name, one] of connections) summaryOf(name, one).forEach(context.out);
        const troubles = [
          ...alarms.map(({ alarm, says, remedy }) => `ALARM ${alarm}: ${says}; ${remedy ?? ''}`),
          ...connections.flatMap(([name, one]) => [
            ...notices(name, one),
            ...quietly(name, one),
            ...troublesOf(name, one),
          ]),
          ...left.map((name) => `account ${name} is mirrored by no connection`),
          ...accounts.flatMap(restoredOf),
        ];
        troubles.forEach(context.out);
        context.out(verdict(troubles.length));
      }),
    );
}

/** Returns the decisions that a restored backup leaves to a person. */
function restoredOf({ name, automations_held, plans_in_doubt }: Account): string[] {
  const doubted = counted(plans_in_doubt, 'planned action');
  return [
    automations_held !== null &&
      `planned actions are held: ${automations_held}; ./stayd account change ${name} --automations armed`,
    plans_in_doubt > 0 &&
      `${doubted} may have gone out before the restore and will not by themselves; execute or delete each (GET /v3/automation/actions)`,
  ].flatMap((text) => (text === false ? [] : [`account ${name}: ${text}`]));
}

/** Returns the known problems of a connection that raise no alarm. */
function quietly(name: string, { troubles }: ConnectionStatus): string[] {
  return (
    troubles
      // Alarms are printed before these, and the summary covers ages.
      .filter(({ about, level }) => level !== 'alarm' && about !== 'freshness')
      .map(({ about, says, remedy }) => `connection ${name}: ${about}: ${says}; ${remedy}`)
  );
}

/** Returns a pause of the connection and disarmed automations. */
function notices(name: string, { paused, automations }: ConnectionStatus): string[] {
  const soon = paused?.next_try_in == null ? '' : `; asked again in ${span(paused.next_try_in)}`;
  return [
    ...(paused
      ? [
          `connection ${name}: nothing is read since ${paused.since}, because ${paused.because ?? 'it was refused'}${soon}`,
        ]
      : []),
    ...(automations.armed
      ? []
      : [`connection ${name}: automations are disarmed since ${automations.since}: ${automations.because}`]),
  ];
}

interface Account {
  account_id: string;
  name: string;
  automations_held: string | null;
  plans_in_doubt: number;
}

async function accountsOf(portal: Portal): Promise<Account[]> {
  return (await portal.get<{ accounts: Account[] }>('/portal/accounts')).accounts;
}

/**
 * Returns the accounts of the core that no connection of this process reads; none while a connection does not know its
 * account.
 */
function notMirrored(accounts: readonly Account[], { connections }: ServiceStatus): string[] {
  const mirrored = Object.values(connections).map(({ account }) => account?.account_id);
  if (mirrored.length === 0 || mirrored.includes(undefined)) return [];
  return accounts.filter((account) => !mirrored.includes(account.account_id)).map((account) => account.name);
}
