import { crc32 } from 'node:zlib';
import { sha256Hex } from '../../kernel/signature.ts';
import type { Random } from '../../kernel/random.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** Prefixes by which scanners and this service recognise a token. */
const PREFIXES = {
  /** An access token that a person created. */
  personal: 'stayd_pat_',
  /** Tokens and codes that OAuth issues to applications. */
  access: 'stayd_oat_',
  refresh: 'stayd_ort_',
  code: 'stayd_oac_',
  clientSecret: 'stayd_ocs_',
} as const;
const SECRET_LENGTH = 30;
const CHECK_LENGTH = 6;

/** A newly created token. `token` is shown to its owner once; only `hash` and `hint` are stored. */
interface FreshToken {
  token: string;
  hash: string;
  hint: string;
}

/**
 * Creates an access token: prefix, 30 random base62 characters (178 bits), and a checksum that lets scanners
 * distinguish a real token from noise.
 */
export function freshToken(random: Random, kind: keyof typeof PREFIXES = 'personal'): FreshToken {
  const prefix = PREFIXES[kind];
  const secret = base62Secret(random, SECRET_LENGTH);
  const token = `${prefix}${secret}${checksum(secret)}`;
  return { token, hash: hashToken(token), hint: `${prefix}…${token.slice(-4)}` };
}

/** Returns true if a text has the prefix of an application's access token. */
export function isOAuthToken(token: string): boolean {
  return token.startsWith(PREFIXES.access);
}

/** Returns the hash by which a token is looked up. Plain SHA-256 suffices at this length. */
export function hashToken(token: string): string {
  return sha256Hex(token);
}

function base62Secret(random: Random, length: number): string {
  let secret = '';
  while (secret.length < length) {
    for (const byte of random.bytes(length)) {
      // 248 is the largest multiple of 62 in a byte; higher values would favour some characters.
      if (byte < 248 && secret.length < length) secret += BASE62[byte % 62];
    }
  }
  return secret;
}

function checksum(secret: string): string {
  let value = crc32(secret);
  let text = '';
  for (let i = 0; i < CHECK_LENGTH; i += 1) {
    text = BASE62[value % 62] + text;
    value = Math.floor(value / 62);
  }
  return text;
}
