import { fingerprinter } from '../../src/kernel/seal.ts';

/** Keyed hashes under a key that is the same in every test. */
export const keyedHash = fingerprinter(Buffer.alloc(32, 7).toString('base64url'));
