import { z } from 'zod';
import type { OAuthClientRow } from '../core/accounts/ground.ts';
import { instantOf, msOf } from '../kernel/dates.ts';
import { type Client, knownClient, readClient } from './clients.ts';
import { OAuthFailure } from './failure.ts';
import { redirectProblem } from './redirects.ts';
import type { OAuth } from './server.ts';
import { findClient, saveClient } from './table.ts';

const MINUTE_MS = 60_000;
/** Bounds in milliseconds on the age at which a description is read again, whatever its server asks for. */
const [SHORTEST_MS, USUAL_MS, LONGEST_MS] = [5 * MINUTE_MS, 60 * MINUTE_MS, 24 * 60 * MINUTE_MS];
const MOST_REDIRECTS = 20;

/** An application's description of itself at the address that is its client_id. */
const document = z.looseObject({
  client_id: z.string(),
  client_name: z.string().trim().min(1).max(200),
  redirect_uris: z.array(z.string()).min(1).max(MOST_REDIRECTS),
  token_endpoint_auth_method: z.string().optional(),
  grant_types: z.array(z.string()).optional(),
  response_types: z.array(z.string()).optional(),
});

/** Returns true if a client_id has the form of the address of a description. */
export function isDocumentAddress(clientId: string): boolean {
  return /^https?:/i.test(clientId);
}

/**
 * Returns an unregistered application, which is described in a document at the address that is its client_id. The
 * document is read once, and again when it is too old.
 * @param mayFetch false: only a stored description counts
 * @throws OAuthFailure when the address or the document is invalid
 */
export async function describedClient(oauth: OAuth, clientId: string, mayFetch: boolean): Promise<Client | undefined> {
  const { core, settings } = oauth;
  if (!settings.metadataDocuments) {
    throw new OAuthFailure('invalid_client', 'Applications that describe themselves are not let in here.');
  }
  requireAddress(clientId);
  const known = await findClient(core.store.db, clientId);
  const isFresh = known?.stale_at != null && msOf(known.stale_at) > core.clock.now();
  if (known && (isFresh || !mayFetch)) return readClient(known);
  if (!mayFetch) return undefined;
  const row = await readDescription(oauth, clientId);
  await core.store.transaction((trx) => saveClient(trx, row));
  return knownClient(oauth, clientId);
}

/**
 * Checks an address by the draft on client id metadata documents: https, a path, and nothing that two readers could
 * interpret differently.
 */
function requireAddress(clientId: string): void {
  const url = URL.canParse(clientId) ? new URL(clientId) : undefined;
  const isRight =
    url !== undefined &&
    url.protocol === 'https:' &&
    url.href === clientId &&
    url.pathname !== '/' &&
    url.hash === '' &&
    url.username === '' &&
    url.password === '';
  if (!isRight) {
    throw new OAuthFailure(
      'invalid_client',
      'client_id: as an address it must be https, with a path, without fragment and user, and in its plain spelling.',
    );
  }
}

async function readDescription({ core, readDocument }: OAuth, clientId: string): Promise<OAuthClientRow> {
  const answer = await readDocument(clientId);
  // The answer gives no reason in detail, since that would map our network for outsiders.
  if ('problem' in answer) throw unreadable('it could not be read');
  const found = parse(answer.text);
  if (found.client_id !== clientId) throw unreadable('its client_id is not the address it stands at');
  const method = found.token_endpoint_auth_method ?? 'none';
  if (method !== 'none') throw unreadable(`its token_endpoint_auth_method must be none`);
  if (found.response_types && !found.response_types.includes('code')) throw unreadable('it does not use codes');
  if (found.grant_types && !found.grant_types.includes('authorization_code')) throw unreadable('it does not use codes');
  for (const uri of found.redirect_uris) {
    const problem = redirectProblem(uri);
    if (problem !== undefined) throw unreadable(`one of its redirect_uris ${problem}`);
  }
  const now = core.clock.now();
  return {
    account_id: '',
    client_id: clientId,
    name: found.client_name,
    kind: 'public',
    origin: 'document',
    secret_hash: null,
    secret_hint: null,
    redirect_uris: JSON.stringify(found.redirect_uris),
    scope: 'write',
    created_at: instantOf(now),
    stale_at: instantOf(now + lifetimeOf(answer.headers['cache-control'])),
  };
}

function parse(text: string): z.output<typeof document> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw unreadable('it is no JSON');
  }
  if (typeof value === 'object' && value !== null && Object.hasOwn(value, 'client_secret')) {
    throw unreadable('it shows a client_secret to everybody');
  }
  const result = document.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw unreadable(`${issue?.path.join('.') || 'it'}: ${issue?.message}`);
}

/** Returns the milliseconds for which a description is valid. */
export function lifetimeOf(cacheControl: string | undefined): number {
  const directives = (cacheControl ?? '')
    .toLowerCase()
    .split(',')
    .map((one) => one.trim());
  if (directives.includes('no-store') || directives.includes('no-cache')) return SHORTEST_MS;
  const seconds = directives.find((one) => /^max-age=\d{1,9}$/.test(one))?.slice('max-age='.length);
  if (seconds === undefined) return USUAL_MS;
  return Math.min(LONGEST_MS, Math.max(SHORTEST_MS, Number(seconds) * 1_000));
}

function unreadable(why: string): OAuthFailure {
  return new OAuthFailure('invalid_client', `The description of this application is not as it must be: ${why}.`);
}
