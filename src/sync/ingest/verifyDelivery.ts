import { sameSecret, signingKey, verifyWebhook } from '../../kernel/signature.ts';

/** The proof that a delivery must carry; the static token discloses the key of the signature. */
export type DeliveryProof = 'token' | 'signature' | 'both';

/**
 * Reasons to refuse a delivery:
 * - unsigned, without_token: one proof is right, and the other, which is required, is not sent
 * - other_header: the secret is in a header that is not examined
 * - late_signature: right for another time than ours
 * - wrong_token, wrong_signature: of another secret
 * - unproven: it proves nothing at all
 * - no_secret: none is known here
 * - unreadable: proven, and no event
 */
const refusalReasons = [
  'unsigned',
  'without_token',
  'other_header',
  'late_signature',
  'unreadable',
  'no_secret',
  'wrong_signature',
  'wrong_token',
  'unproven',
] as const;
export type RefusalReason = (typeof refusalReasons)[number];

/** The result of the check of a delivery: proven, or the reason of its refusal. */
export type Verdict = 'proven' | Exclude<RefusalReason, 'unreadable'>;

export type DeliveryHeaders = Readonly<Record<string, string | string[] | undefined>>;
export type VerifyDelivery = (body: Buffer, headers: DeliveryHeaders, nowMs: number) => Verdict;

/**
 * Makes the check of deliveries that carry one of these secrets; several while one replaces another.
 * @param tokenHeader the header that carries the secret as is, in lower case
 */
export function deliveryCheck(proof: DeliveryProof, tokenHeader: string, secrets: readonly string[]): VerifyDelivery {
  const checks = secrets.map((secret) => checkWith(proof, tokenHeader, secret));
  return (body, headers, nowMs) => {
    const verdicts: Verdict[] = [];
    for (const check of checks) {
      const verdict = check(body, headers, nowMs);
      if (verdict === 'proven') return verdict;
      verdicts.push(verdict);
    }
    return refusalReasons.filter(isVerdict).find((reason) => verdicts.includes(reason)) ?? 'no_secret';
  };
}

function isVerdict(reason: RefusalReason): reason is Exclude<RefusalReason, 'unreadable'> {
  return reason !== 'unreadable';
}

function checkWith(proof: DeliveryProof, tokenHeader: string, secret: string): VerifyDelivery {
  const key = signingKey(secret);
  return (body, headers, nowMs) => {
    const token = text(headers[tokenHeader]);
    const byToken = proof !== 'signature' && sameSecret(token, secret);
    if (proof === 'token' && byToken) return 'proven';
    const signed = signedOf(body, headers);
    const bySignature = verifyWebhook(key, signed, nowMs);
    if (bySignature && (proof === 'signature' || byToken)) return 'proven';
    if (signed.signature === '' && sameSecret(token, secret)) return 'unsigned';
    if (bySignature) return token === '' ? 'without_token' : 'wrong_token';
    if (verifyWebhook(key, signed, Number(signed.timestamp) * 1_000)) return 'late_signature';
    if (signed.signature !== '' && (token === '' || sameSecret(token, secret))) return 'wrong_signature';
    if (token !== '') return 'wrong_token';
    return Object.values(headers).some((value) => sameSecret(text(value), secret)) ? 'other_header' : 'unproven';
  };
}

function signedOf(body: Buffer, headers: DeliveryHeaders) {
  return {
    id: text(headers['webhook-id']),
    timestamp: text(headers['webhook-timestamp']),
    signature: text(headers['webhook-signature']),
    body,
  };
}

function text(header: string | string[] | undefined): string {
  return typeof header === 'string' ? header : '';
}
