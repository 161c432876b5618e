import { createHash, createHmac, pbkdf2Sync } from 'node:crypto';
import { UsageError } from '../../kernel/errors.ts';

const ITERATIONS = 4096;
const KEY_BYTES = 32;
export const SALT_BYTES = 16;

/**
 * Returns what PostgreSQL stores of a password (RFC 5803), so that the password itself is in no statement, log or
 * printed SQL.
 * @throws UsageError for a password that is empty or has other characters than those of ASCII, which would need
 *   preparation
 */
export function scramVerifier(password: string, salt: Buffer): string {
  if (!/^[\x20-\x7e]{8,200}$/.test(password)) {
    throw new UsageError(
      'password: must have 8 to 200 characters, all of them letters, digits, signs or spaces of ASCII',
    );
  }
  const salted = pbkdf2Sync(password, salt, ITERATIONS, KEY_BYTES, 'sha256');
  const clientKey = createHmac('sha256', salted).update('Client Key').digest();
  const storedKey = createHash('sha256').update(clientKey).digest('base64');
  const serverKey = createHmac('sha256', salted).update('Server Key').digest('base64');
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${storedKey}:${serverKey}`;
}
