import type { Config } from '../../config.ts';
import type { CoreDb } from '../../core/database.ts';
import { readRows } from '../../store/queries/readRows.ts';
import { locationOf } from '../stores/stores.ts';
import { type Finding, ok, problem } from './finding.ts';

/** The number of newest deliveries to check. */
const LOOKED_AT = 1_000;
/** Failures in a row of one webhook that are no accident. */
const IN_A_ROW = 3;

function newest(db: CoreDb) {
  return db
    .selectFrom('deliveries')
    .innerJoin('webhooks', (on) =>
      on.onRef('webhooks.account_id', '=', 'deliveries.account_id').onRef('webhooks.id', '=', 'deliveries.webhook_id'),
    )
    .where('deliveries.outcome', 'is not', null)
    .select(['deliveries.account_id', 'webhook_id', 'outcome', 'http_status'])
    .orderBy('event_id', 'desc')
    .limit(LOOKED_AT)
    .execute();
}

type Delivered = Awaited<ReturnType<typeof newest>>[number];

/** Checks that the receivers of the webhooks registered here accept their deliveries. */
export async function lookAtDeliveries(config: Config): Promise<Finding[]> {
  const byWebhook = new Map<string, Delivered[]>();
  for (const row of await readRows(locationOf(config, 'core'), newest)) {
    const webhook = `webhook ${row.webhook_id} of account ${row.account_id}`;
    byWebhook.set(webhook, [...(byWebhook.get(webhook) ?? []), row]);
  }
  const findings = [...byWebhook].flatMap(([webhook, rows]) => refused(webhook, rows));
  return findings.length > 0 ? findings : [ok('deliveries', 'no webhook refuses all that is delivered to it')];
}

function refused(webhook: string, rows: readonly Delivered[]): Finding[] {
  const taken = rows.findIndex((row) => row.outcome === 'delivered');
  const failed = taken === -1 ? rows : rows.slice(0, taken);
  const [latest] = failed;
  if (!latest || failed.length < IN_A_ROW) return [];
  const how = latest.http_status === null ? latest.outcome : `${latest.outcome}, HTTP ${latest.http_status}`;
  const says = `the last ${failed.length} deliveries to ${webhook} failed, the newest as ${how}`;
  return [
    problem('deliveries', says, remedies[latest.outcome ?? ''] ?? 'ask who runs that address; or delete the webhook'),
  ];
}

const OWN_NETWORK =
  'where that address is meant to be in a private network, allow it: STAYD_OUTBOUND_ALLOW=host:port, and start stayd again';
const remedies: Readonly<Record<string, string>> = { private_address: OWN_NETWORK, bad_url: OWN_NETWORK };
