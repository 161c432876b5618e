import { sameSecret, signingKey, verifyWebhook } from '../kernel/signature.ts';

/** What a delivery must prove itself by; the static token discloses the key of the signature. */
export type DeliveryProof = 'token' | 'signature' | 'both';

export type DeliveryHeaders = Readonly<Record<string, string | string[] | undefined>>;
export type VerifyDelivery = (body: Buffer, headers: DeliveryHeaders, nowMs: number) => boolean;

/**
 * Makes the check of deliveries that carry one of these secrets; several while one replaces another.
 * @param tokenHeader the header that carries the secret as is, in lower case
 */
export function deliveryCheck(proof: DeliveryProof, tokenHeader: string, secrets: readonly string[]): VerifyDelivery {
  const checks = secrets.map((secret) => checkWith(proof, tokenHeader, secret));
  return (body, headers, nowMs) => checks.some((check) => check(body, headers, nowMs));
}

function checkWith(proof: DeliveryProof, tokenHeader: string, secret: string): VerifyDelivery {
  const key = signingKey(secret);
  const byToken: VerifyDelivery = (_, headers) => sameSecret(text(headers[tokenHeader]), secret);
  const bySignature: VerifyDelivery = (body, headers, nowMs) => {
    const id = text(headers['webhook-id']);
    const timestamp = text(headers['webhook-timestamp']);
    const signature = text(headers['webhook-signature']);
    return verifyWebhook(key, { id, timestamp, signature, body }, nowMs);
  };
  switch (proof) {
    case 'token':
      return byToken;
    case 'signature':
      return bySignature;
    case 'both':
      return (body, headers, nowMs) => byToken(body, headers, nowMs) && bySignature(body, headers, nowMs);
  }
}

function text(header: string | string[] | undefined): string {
  return typeof header === 'string' ? header : '';
}
