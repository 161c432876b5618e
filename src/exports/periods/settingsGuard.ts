import { instantOf } from '../../kernel/dates.ts';
import { OperatorError } from '../../kernel/errors.ts';
import { chosenConnection, todayOf } from '../accounts/account.ts';
import { policyOf, RULES_VERSION } from '../journal/policy.ts';
import type { BookSettings } from '../journal/settings.ts';
import { lastLocked, logRow } from './periodTable.ts';
import type { ExportPorts } from '../ports.ts';
import type { ConfirmedSettings, Unconfirmed, UnconfirmedEntry } from '../run/unconfirmed.ts';
import type { OnProgress } from '../jobs/runJob.ts';

/** Thrown when unconfirmed settings would correct locked months. */
class UnconfirmedSettingsError extends OperatorError {
  constructor({ count, entries }: Unconfirmed) {
    const shown = entries
      .slice(0, MOST_SHOWN)
      .map(({ id, date, description }) => `  - ${id} of ${date}: ${description}`);
    const rest = count - shown.length;
    super(
      [
        `changed settings, or the rules of a newer stayd, would correct ${count === 1 ? 'an entry' : `${count} entries`} of locked months:`,
        ...shown,
        ...(rest > 0 ? [`  and ${rest} more; ./stayd export verify --json names them`] : []),
      ].join('\n'),
      'if that is right: ./stayd export confirm-settings; if settings were changed by mistake, put them back and restart',
    );
  }
}

const MOST_SHOWN = 10;

/**
 * Wraps the ports so that settings that would correct locked months can write, store, match and close nothing until an
 * operator confirms them. Settings without an effect on locked months apply at once.
 */
export function guardSettings(ports: ExportPorts): ExportPorts {
  return {
    ...ports,
    async carryOut(order, listener, signal) {
      const { connection, settings, kind } = order;
      const confirmed = await confirmedSettings(ports, connection);
      const requireConfirmed = (found: Unconfirmed) => {
        if (kind !== 'check' && found.count > 0) throw new UnconfirmedSettingsError(found);
      };
      const result = await ports.carryOut(
        { ...order, confirmed },
        {
          ...listener,
          async onReport(report) {
            requireConfirmed(report.unconfirmed);
            await listener.onReport(report);
          },
        },
        signal,
      );
      const found = result.kind === 'kept' ? result.unconfirmed : result.report.unconfirmed;
      requireConfirmed(found);
      const { hash } = policyOf(settings);
      if (found.count === 0 && confirmed?.hash !== hash) await storeConfirmed(ports, connection, { hash, settings });
      return result;
    },
  };
}

/** The result of {@link confirmSettings}. */
interface ConfirmedReport {
  readonly connection: string;
  /** Number of entries in locked months that will be corrected from now on. */
  readonly count: number;
  readonly entries: readonly UnconfirmedEntry[];
}

/** Allows the current settings to correct locked months, and logs it with the operator's reason. */
export async function confirmSettings(
  ports: ExportPorts,
  { connection: name, reason }: { connection?: string | undefined; reason: string | null },
  { onProgress, signal }: { onProgress: OnProgress; signal: AbortSignal },
): Promise<ConfirmedReport> {
  const connection = await chosenConnection(ports.store.db, name);
  const settings = ports.bookOf(connection);
  const today = await todayOf(ports, connection);
  const result = await ports.carryOut(
    { kind: 'check', location: ports.location, connection, settings, now: ports.clock.now(), from: today, to: today },
    { onProgress, onReport: async () => {}, onEntries: async () => {} },
    signal,
  );
  if (result.kind !== 'booked') throw new Error('the settings were not looked at');
  const { count, entries } = result.report.unconfirmed;
  const locked = await lastLocked(ports, connection);
  if (count > 0 && locked) {
    const { hash } = policyOf(settings);
    await storeConfirmed(ports, connection, { hash, settings }, { period: locked.period, reason });
  }
  return { connection, count, entries };
}

/** Returns the confirmed settings, or undefined if no month is locked and nothing needs confirmation. */
async function confirmedSettings(ports: ExportPorts, connection: string): Promise<ConfirmedSettings | undefined> {
  const locked = await lastLocked(ports, connection);
  if (!locked) return undefined;
  const row = await ports.store.db
    .selectFrom('export_settings')
    .selectAll()
    .where('connection', '=', connection)
    .executeTakeFirst();
  if (!row) return { hash: locked.policy_hash, settings: null };
  const settings = row.rules === RULES_VERSION ? (JSON.parse(row.settings) as BookSettings) : null;
  return { hash: row.policy_hash, settings };
}

async function storeConfirmed(
  ports: ExportPorts,
  connection: string,
  { hash, settings }: { hash: string; settings: BookSettings },
  said?: { period: string; reason: string | null },
): Promise<void> {
  const at = instantOf(ports.clock.now());
  const row = { policy_hash: hash, rules: RULES_VERSION, settings: JSON.stringify(settings), at };
  await ports.store.transaction(async (trx) => {
    await trx
      .insertInto('export_settings')
      .values({ connection, ...row })
      .onConflict((conflict) => conflict.column('connection').doUpdateSet(row))
      .execute();
    if (!said) return;
    const log = logRow(
      ports,
      { connection, period: said.period, digest: hash },
      { action: 'confirm_settings', at, reason: said.reason },
    );
    await trx.insertInto('export_period_log').values(log).execute();
  });
}
