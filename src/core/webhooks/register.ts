import { type Instant, instantOf, msOf } from '../../kernel/dates.ts';
import { invalid } from '../../kernel/errors.ts';
import type { AccountId } from '../../kernel/ids.ts';
import type { Random } from '../../kernel/random.ts';
import { type Reseal, sealOnce, type Sealer } from '../../kernel/seal.ts';
import type { ClearRows } from '../../store/sealing/sealClear.ts';
import { nextIds } from '../../store/leases/sequences.ts';
import { lockAccount } from '../accounts/lock.ts';
import type { Change, Core } from '../context.ts';
import { type CoreDatabase, type CoreTransaction, flag, type WebhookRow } from '../database.ts';
import { allSecrets, liveWebhooks, saveSecrets, webhookSecrets } from './table.ts';

/** Bytes of a secret: 256 bits, the length of the signature. */
const SECRET_BYTES = 32;
/** Milliseconds after a rotation during which the old secret also signs. */
const ROTATION_MS = 24 * 3_600_000;

interface WebhookDraft {
  url: string;
  /** undefined: all kinds. */
  events?: readonly string[] | undefined;
  /** false: made by hand; the API may not change it. */
  manageable: boolean;
  /** true: deliveries omit the header that carries the secret itself. */
  signatureOnly: boolean;
  /** The application that registers it; left out: a person, or a program of theirs. */
  clientId?: string | undefined;
  /** The access token that registers it. */
  tokenId?: number | undefined;
}

/** Most webhooks of an account. Each event goes to all of them. */
export const MOST_WEBHOOKS = 100;

/**
 * Registers a webhook. The returned secret is shown once and stored encrypted.
 * @throws ApiError 422 for one more than {@link MOST_WEBHOOKS}
 */
export async function registerWebhook(change: Change, draft: WebhookDraft): Promise<{ id: number; secret: string }> {
  const { core, account, trx } = change;
  await lockAccount(trx, account.account_id);
  if ((await liveWebhooks(trx, { accountId: account.account_id })).length >= MOST_WEBHOOKS) {
    throw invalid('url', `cannot be registered: the account has ${MOST_WEBHOOKS} webhooks; delete one first`);
  }
  const secret = freshSecret(core.random);
  const id = await nextIds(trx, 'webhooks');
  await trx
    .insertInto('webhooks')
    .values({
      account_id: account.account_id,
      id,
      url: core.sealer.seal(draft.url, urlContext(id)),
      events: draft.events ? JSON.stringify(draft.events) : null,
      secret: core.sealer.seal(secret, sealContext(id)),
      previous_secret: null,
      previous_until: null,
      manageable: flag(draft.manageable),
      signature_only: flag(draft.signatureOnly),
      created_at: instantOf(change.now),
      deleted_at: null,
      client_id: draft.clientId ?? null,
      operator_id: change.operator?.id ?? null,
      token_id: draft.tokenId ?? null,
      farewell_event_id: null,
    })
    .execute();
  change.audit('createWebhook', String(id), { after: auditOf(draft.url, draft.events ?? null) });
  return { id, secret };
}

/** A change of a webhook. Fields that are left out stay; the secret always does. */
export interface WebhookChange {
  url?: string | undefined;
  events?: readonly string[] | undefined;
}

/** @returns the row after the change */
export async function changeWebhook(change: Change, row: WebhookRow, asked: WebhookChange): Promise<WebhookRow> {
  const { sealer } = change.core;
  const before = openUrl(sealer, row);
  const changed = {
    ...row,
    url: asked.url === undefined ? row.url : sealer.seal(asked.url, urlContext(row.id)),
    events: asked.events ? JSON.stringify(asked.events) : row.events,
  };
  await change.trx
    .updateTable('webhooks')
    .set({ url: changed.url, events: changed.events })
    .where('account_id', '=', row.account_id)
    .where('id', '=', row.id)
    .execute();
  const eventsOf = ({ events }: WebhookRow) => (events === null ? null : (JSON.parse(events) as string[]));
  change.audit('updateWebhook', String(row.id), {
    before: auditOf(before, eventsOf(row)),
    after: auditOf(asked.url ?? before, eventsOf(changed)),
  });
  return changed;
}

export async function endWebhook(change: Change, row: WebhookRow): Promise<void> {
  await change.trx
    .updateTable('webhooks')
    .set({ deleted_at: instantOf(change.now) })
    .where('account_id', '=', row.account_id)
    .where('id', '=', row.id)
    .execute();
  change.audit('deleteWebhook', String(row.id), { before: auditOf(openUrl(change.core.sealer, row), null) });
}

/** Ends the webhooks that an application registered. One last event, its disconnection, is still sent there. */
export async function endWebhooksOf(change: Change, clientId: string, farewellEventId: string): Promise<void> {
  await change.trx
    .updateTable('webhooks')
    .set({ deleted_at: instantOf(change.now), farewell_event_id: farewellEventId })
    .where('account_id', '=', change.account.account_id)
    .where('client_id', '=', clientId)
    .where('deleted_at', 'is', null)
    .execute();
}

/** Ends the webhooks that an access token registered. */
export async function endWebhooksOfToken(
  trx: CoreTransaction,
  { accountId, tokenId, at }: { accountId: AccountId; tokenId: number; at: Instant },
): Promise<void> {
  await trx
    .updateTable('webhooks')
    .set({ deleted_at: at })
    .where('account_id', '=', accountId)
    .where('token_id', '=', tokenId)
    .where('deleted_at', 'is', null)
    .execute();
}

/** Gives a webhook a new secret. Deliveries carry the signatures of both for a day. @returns the new secret */
export async function rotateSecret(change: Change, row: WebhookRow): Promise<string> {
  const secret = freshSecret(change.core.random);
  await change.trx
    .updateTable('webhooks')
    .set({
      secret: change.core.sealer.seal(secret, sealContext(row.id)),
      previous_secret: row.secret,
      previous_until: instantOf(change.now + ROTATION_MS),
    })
    .where('account_id', '=', row.account_id)
    .where('id', '=', row.id)
    .execute();
  change.audit('rotateWebhookSecret', String(row.id));
  return secret;
}

/** Returns the secrets that sign a delivery now. */
export function openSecrets(
  sealer: Sealer,
  row: Pick<WebhookRow, 'secret' | 'previous_secret' | 'previous_until'> & { id: number },
  now: number,
): { secret: string; previousSecret?: string } {
  const secret = sealer.open(row.secret, sealContext(row.id));
  const rotating = row.previous_secret !== null && row.previous_until !== null && now < msOf(row.previous_until);
  return rotating && row.previous_secret !== null
    ? { secret, previousSecret: sealer.open(row.previous_secret, sealContext(row.id)) }
    : { secret };
}

/** Returns the address of a webhook. */
export function openUrl(sealer: Sealer, { id, url }: Pick<WebhookRow, 'id' | 'url'>): string {
  return sealer.open(url, urlContext(id));
}

/** Addresses that an earlier version stored in clear. */
export const clearWebhookUrls: ClearRows<CoreDatabase> = {
  name: 'webhooks.url',
  table: 'webhooks',
  key: ['account_id', 'id'],
  columns: ['url'],
  async seal(trx, row, sealer) {
    const id = Number(row['id']);
    const url = sealOnce(sealer, String(row['url']), urlContext(id));
    await trx.updateTable('webhooks').set({ url }).where('id', '=', id).execute();
    return true;
  },
};

/** Throws OperatorError when a webhook's secret opens with neither key. Changes nothing. */
export async function requireResealable({ db }: Core['store'], reseal: Reseal): Promise<void> {
  for (const row of await webhookSecrets(db)) reseal(row.secret, sealContext(row.id));
}

/** Seals the secrets and addresses of all webhooks with another key. @returns the number of webhooks */
export async function resealWebhooks(trx: CoreTransaction, reseal: Reseal): Promise<number> {
  const rows = await allSecrets(trx);
  for (const { id, url, secret, previous_secret } of rows) {
    const context = sealContext(id);
    await saveSecrets(trx, {
      id,
      url: reseal(url, urlContext(id)),
      secret: reseal(secret, context),
      previous_secret: previous_secret === null ? null : reseal(previous_secret, context),
    });
  }
  return rows.length;
}

/** Returns the audit values of a webhook. The rest of its address can be a secret. */
function auditOf(url: string, events: readonly string[] | null): object {
  return { host: new URL(url).host, ...(events !== null && { events }) };
}

function freshSecret(random: Random): string {
  return `whsec_${random.bytes(SECRET_BYTES).toString('base64')}`;
}

/** Returns the context that a webhook's secret is encrypted for, so that it cannot be moved to another row. */
function sealContext(webhookId: number): string {
  return `webhook:${webhookId}`;
}

function urlContext(webhookId: number): string {
  return `webhook_url:${webhookId}`;
}
