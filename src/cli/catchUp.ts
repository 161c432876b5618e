import type { ServiceStatus } from '../client/status.ts';
import { pause, systemClock } from '../kernel/clock.ts';
import { OperatorError } from '../kernel/errors.ts';
import { counted, grouped } from './output.ts';
import type { Portal } from './portal.ts';
import type { ProgressDisplay } from './progress.ts';

const LOOK_MS = 500;
/** Milliseconds without progress after which waiting ends. */
const PATIENCE_MS = 120_000;

interface Reconciled {
  resources: { resource: string; state: string; problem: string | null }[];
}

/**
 * Waits until the mirrors of an account have read everything that events announced, then runs a full reconciliation,
 * because some things change without an event.
 * @returns the connections that mirror the account
 * @throws OperatorError when the mirrors make no progress
 */
export async function catchUp(
  portal: Portal,
  account: string | undefined,
  signal: AbortSignal,
  display: ProgressDisplay,
): Promise<string[]> {
  const accounts = (await portal.get<{ accounts: { account_id: string; name: string }[] }>('/portal/accounts'))
    .accounts;
  const own = accounts.find((one) => account === undefined || one.name === account || one.account_id === account);
  const { connections } = await portal.get<ServiceStatus>('/portal/status');
  const mirrors = Object.entries(connections)
    .filter(([, connection]) => connection.account?.account_id === own?.account_id)
    .map(([name]) => name);
  if (mirrors.length === 0) return [];
  await settled(portal, mirrors, signal, display);
  for (const connection of mirrors) {
    const { resources } = await portal.run<Reconciled>('/portal/reconcile', { connection }, (progress) => {
      const { resource, rows, total = 0 } = progress as { resource: string; rows: number; total?: number };
      display.update({ done: rows, total, text: `the mirror reads ${resource}: ${counted(rows, 'row')}` });
    });
    const failed = resources.find(({ state }) => state === 'failed');
    if (failed) throw new OperatorError(`the mirror could not read ${failed.resource}: ${failed.problem}`);
  }
  return mirrors;
}

async function settled(
  portal: Portal,
  mirrors: readonly string[],
  signal: AbortSignal,
  display: ProgressDisplay,
): Promise<void> {
  let seen = '';
  let since = systemClock.monotonic();
  for (let most = 0; !signal.aborted; await pause(LOOK_MS, signal)) {
    const status = await portal.get<ServiceStatus>('/portal/status');
    const own = mirrors.flatMap((name) => status.connections[name] ?? []);
    const queued = (status.core?.waiting.events ?? 0) + (status.core?.waiting.deliveries ?? 0);
    const pending = own.reduce((sum, one) => sum + one.inbox.pending, 0);
    const dirty = own.reduce((sum, one) => sum + Object.values(one.dirty).reduce((keys, row) => keys + row.keys, 0), 0);
    const left = queued + pending + dirty;
    if (left === 0 && own.every((one) => one.catch_up_due === null)) return;
    const now = JSON.stringify([queued, pending, dirty, own.map((one) => one.inbox.done)]);
    if (now !== seen) since = systemClock.monotonic();
    seen = now;
    if (systemClock.monotonic() - since > PATIENCE_MS) {
      throw new OperatorError('the mirror does not get on', 'what was simulated stays; ./stayd status says why');
    }
    most = Math.max(most, left);
    display.update({ done: most - left, total: most, text: `the mirror follows, ${grouped(left)} to go` });
  }
}
