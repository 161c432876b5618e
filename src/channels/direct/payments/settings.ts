import { lockAccount } from '../../../core/accounts/lock.ts';
import { runChange } from '../../../core/change.ts';
import type { Core } from '../../../core/context.ts';
import type { CoreDb, CoreTransaction } from '../../../core/database.ts';
import { instantOf } from '../../../kernel/dates.ts';
import { ApiError, invalid } from '../../../kernel/errors.ts';
import type { AccountId } from '../../../kernel/ids.ts';
import type { Reseal } from '../../../kernel/seal.ts';
import type { Keeper } from '../bookings/pages.ts';
import type { PaymentSettingsRow } from './rows.ts';
import { allPaymentSecrets, saveSettings, settingsRow, writePayment } from './table.ts';

/** Where the provider tells of payments; the account follows. */
export const STRIPE_HOOK_PATH = '/payments/stripe';
/** Keys that may make payments and refunds: secret ones and restricted ones. */
const STRIPE_KEY = /^(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{10,200}$/;
const STRIPE_SECRET = /^whsec_[A-Za-z0-9+/=_-]{10,200}$/;
const TRANSFER_HOURS = 48;
const FEED_MINUTES = 120;

/** How an account is paid, without its secrets. */
export interface ShownSettings {
  readonly transfer: { readonly text: string | null; readonly hours: number };
  readonly feed_minutes: number;
  /** false: guests cannot cancel on the page of their booking. */
  readonly guests_cancel: boolean;
  readonly stripe: {
    readonly connected: boolean;
    /** null: not connected. */
    readonly mode: 'live' | 'test' | null;
    readonly has_webhook_secret: boolean;
    /** The address to give to the provider. */
    readonly webhook_url: string;
  };
}

/** Changes; what is left out stays, null takes away. */
export interface SettingsDraft {
  readonly transfer_text?: string | null | undefined;
  readonly transfer_hours?: number | undefined;
  readonly feed_minutes?: number | undefined;
  readonly guests_cancel?: boolean | undefined;
  readonly stripe_key?: string | null | undefined;
  readonly stripe_webhook_secret?: string | null | undefined;
}

export async function readSettings(db: CoreDb | CoreTransaction, accountId: AccountId): Promise<PaymentSettingsRow> {
  return (await settingsRow(db, accountId)) ?? nothing(accountId);
}

export async function showSettings(core: Core, accountId: AccountId): Promise<ShownSettings> {
  return shown(core, await readSettings(core.store.db, accountId));
}

/** Changes how an account is paid. @throws ApiError 422 with the wrong field, which never repeats a key */
export async function changeSettings(core: Core, who: Keeper, draft: SettingsDraft): Promise<ShownSettings> {
  requireSound(draft);
  return runChange(core, who, async (change) => {
    const { trx, account, now } = change;
    const { account_id } = account;
    await lockAccount(trx, account_id);
    const before = await readSettings(trx, account_id);
    const { stripe_key: key, stripe_webhook_secret: secret, guests_cancel: guestsCancel, ...plain } = draft;
    const given = Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined));
    const after: PaymentSettingsRow = {
      ...before,
      ...given,
      ...(guestsCancel !== undefined && { guests_cancel: guestsCancel ? 1 : 0 }),
      ...(key !== undefined && { stripe_key: key === null ? null : core.sealer.seal(key, keyContext(account_id)) }),
      ...(secret !== undefined && {
        stripe_webhook_secret: secret === null ? null : core.sealer.seal(secret, secretContext(account_id)),
      }),
      updated_at: instantOf(now),
    };
    await saveSettings(trx, after);
    change.audit('change payments', account_id, { before: recorded(core, before), after: recorded(core, after) });
    return shown(core, after);
  });
}

/** Returns the key for the provider in clear. @throws ApiError 409 where no card can be charged */
export function openKey({ sealer }: Pick<Core, 'sealer'>, { account_id, stripe_key }: PaymentSettingsRow): string {
  if (stripe_key === null) throw new ApiError(409, 'Payments by card are not set up.');
  return sealer.open(stripe_key, keyContext(account_id));
}

/** Returns the secret that signs what the provider tells; undefined: none is set. */
export function openHookSecret(
  { sealer }: Pick<Core, 'sealer'>,
  { account_id, stripe_webhook_secret }: PaymentSettingsRow,
): string | undefined {
  return stripe_webhook_secret === null ? undefined : sealer.open(stripe_webhook_secret, secretContext(account_id));
}

export function sealPaymentUrl({ sealer }: Pick<Core, 'sealer'>, id: number, url: string): string {
  return sealer.seal(url, urlContext(id));
}

export function openPaymentUrl({ sealer }: Pick<Core, 'sealer'>, id: number, url: string): string {
  return sealer.open(url, urlContext(id));
}

/** Seals keys, secrets and payment addresses of all accounts with another key. @returns their number */
export async function resealPayments(trx: CoreTransaction, reseal: Reseal): Promise<number> {
  const { settings, payments } = await allPaymentSecrets(trx);
  for (const row of settings) {
    const { account_id, stripe_key: key, stripe_webhook_secret: secret } = row;
    await saveSettings(trx, {
      ...row,
      stripe_key: key === null ? null : reseal(key, keyContext(account_id)),
      stripe_webhook_secret: secret === null ? null : reseal(secret, secretContext(account_id)),
    });
  }
  for (const { account_id, id, url } of payments)
    await writePayment(trx, { account_id, id }, { url: url === null ? null : reseal(url, urlContext(id)) });
  return settings.length + payments.length;
}

function requireSound({ stripe_key: key, stripe_webhook_secret: secret, transfer_text: text }: SettingsDraft): void {
  if (typeof key === 'string' && !STRIPE_KEY.test(key))
    throw invalid('stripe_key', 'must be a secret key (sk_…) or a restricted key (rk_…) of Stripe');
  if (typeof secret === 'string' && !STRIPE_SECRET.test(secret))
    throw invalid('stripe_webhook_secret', 'must be the signing secret of the webhook at Stripe (whsec_…)');
  if (typeof text === 'string' && /[^\P{Cc}\n\r\t]/u.test(text))
    throw invalid('transfer_text', 'has signs that cannot be shown');
}

function nothing(account_id: AccountId): PaymentSettingsRow {
  return {
    account_id,
    transfer_text: null,
    transfer_hours: TRANSFER_HOURS,
    feed_minutes: FEED_MINUTES,
    guests_cancel: 1,
    stripe_key: null,
    stripe_webhook_secret: null,
    updated_at: instantOf(0),
  };
}

function shown(core: Core, row: PaymentSettingsRow): ShownSettings {
  const { transfer_text: text, transfer_hours: hours, feed_minutes, stripe_key, stripe_webhook_secret } = row;
  return {
    transfer: { text, hours },
    feed_minutes,
    guests_cancel: row.guests_cancel === 1,
    stripe: {
      connected: stripe_key !== null,
      mode: stripe_key === null ? null : /_live_/.test(openKey(core, row)) ? 'live' : 'test',
      has_webhook_secret: stripe_webhook_secret !== null,
      webhook_url: `${core.publicUrl()}${STRIPE_HOOK_PATH}/${row.account_id}`,
    },
  };
}

/** What the record keeps: no secret, and not the words for guests, which name an account at a bank. */
function recorded(core: Core, row: PaymentSettingsRow): object {
  const { transfer, feed_minutes, guests_cancel, stripe } = shown(core, row);
  const { connected, mode, has_webhook_secret } = stripe;
  return {
    transfer: transfer.text !== null,
    transfer_hours: transfer.hours,
    feed_minutes,
    guests_cancel,
    connected,
    mode,
    has_webhook_secret,
  };
}

function keyContext(accountId: AccountId): string {
  return `stripe_key:${accountId}`;
}

function secretContext(accountId: AccountId): string {
  return `stripe_webhook_secret:${accountId}`;
}

function urlContext(id: number): string {
  return `payment_url:${id}`;
}
