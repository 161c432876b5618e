import { createCipheriv, createDecipheriv, createHash, createHmac } from 'node:crypto';
import { OperatorError } from './errors.ts';
import type { Random } from './random.ts';

const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const SEALED = /^v1\.([0-9a-f]{8})\.([A-Za-z0-9_-]+)$/;

/** Encrypts secrets that must be used again (webhook secrets, upstream tokens) before they are stored. */
export interface Sealer {
  /** The first eight hex digits of the key's SHA-256; part of every sealed text, reveals nothing about the key. */
  readonly keyId: string;
  /**
   * Encrypts a text.
   * @param context the place of the text, such as `webhook:<id>`: it opens only there, so that a row's
   *   secret cannot be copied into another row. Not stored.
   */
  seal(plain: string, context: string): string;
  /** Decrypts a sealed text. Throws OperatorError if the key differs, or the text or its context was changed. */
  open(sealed: string, context: string): string;
}

/** Seals a stored text with another key; a text under the new key remains unchanged. */
export type Reseal = (sealed: string, context: string) => string;

/**
 * Returns a function that seals texts of one key with another. It throws OperatorError for a text that opens with
 * neither.
 */
export function resealing(from: Sealer, to: Sealer): Reseal {
  return (sealed, context) => {
    const [, sealedUnder] = SEALED.exec(sealed) ?? [];
    if (sealedUnder !== to.keyId) return to.seal(from.open(sealed, context), context);
    to.open(sealed, context);
    return sealed;
  };
}

/** Seals a text unless it is sealed already, with this key and for the same context: safe to repeat. */
export function sealOnce(sealer: Sealer, text: string, context: string): string {
  return isSealed(sealer, text, context) ? text : sealer.seal(text, context);
}

function isSealed(sealer: Sealer, text: string, context: string): boolean {
  if (!SEALED.test(text)) return false;
  try {
    sealer.open(text, context);
    return true;
  } catch {
    // The text only looks sealed: without the key nobody can write a text that opens.
    return false;
  }
}

/**
 * Creates a sealer with AES-256-GCM under a random 96-bit nonce; sealed text is `v1.<key id>.<base64url of nonce, tag,
 * cipher>`.
 */
export function sealer(keyBytes: Buffer, random: Random): Sealer {
  if (keyBytes.length !== KEY_BYTES) {
    throw new OperatorError(
      `The secret key has ${keyBytes.length} bytes, not ${KEY_BYTES}.`,
      'Set STAYD_SECRET_KEY, or restore secret.key in the data directory.',
    );
  }
  const key = Buffer.from(keyBytes);
  const keyId = keyIdOf(key);
  return {
    keyId,
    seal(plain, context) {
      const iv = random.bytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES });
      cipher.setAAD(Buffer.from(context));
      const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return `v1.${keyId}.${Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url')}`;
    },
    open(sealed, context) {
      const [, sealedUnder, payload = ''] = SEALED.exec(sealed) ?? [];
      if (sealedUnder === undefined) throw damaged(context);
      if (sealedUnder !== keyId) throw otherKey(context, sealedUnder, keyId);
      const bytes = Buffer.from(payload, 'base64url');
      // Two base64 texts can encode the same bytes; only the canonical one is accepted.
      if (bytes.length < IV_BYTES + TAG_BYTES || bytes.toString('base64url') !== payload) throw damaged(context);
      try {
        return decrypt(key, bytes, context);
      } catch (cause) {
        throw damaged(context, cause);
      }
    },
  };
}

/** Returns an id that distinguishes keys and reveals nothing about them. */
export function keyIdOf(key: Buffer): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 8);
}

function decrypt(key: Buffer, bytes: Buffer, context: string): string {
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
}

function otherKey(context: string, sealedUnder: string, keyId: string): OperatorError {
  return new OperatorError(
    `The stored secret of ${context} was sealed with the key ${sealedUnder}; this one is ${keyId}.`,
    'Start with the key that was in use when it was stored (STAYD_SECRET_KEY, or secret.key in the data directory).',
  );
}

function damaged(context: string, cause?: unknown): OperatorError {
  return new OperatorError(
    `The stored secret of ${context} was changed or damaged: it does not open with the key it names.`,
    'Restore it from a backup, or set the secret again.',
    cause,
  );
}

/** Returns a keyed hash: holders of the key can compare two texts, and others learn nothing. */
export function fingerprinter(key: string): (text: string) => string {
  return (text) => createHmac('sha256', Buffer.from(key, 'base64url')).update(text, 'utf8').digest('base64url');
}
