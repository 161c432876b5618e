import { loadProfile } from '../../src/compose/profiles/profiles.ts';
import { described, type Profile } from '../../src/contract/dialect/profile.ts';

/** The dialects in which worlds are lived through. */
export const DIALECTS = ['described', 'hostex'] as const;
export type DialectName = (typeof DIALECTS)[number];

/**
 * How a core speaks, and what the daemon knows of it. Nothing is left out: whoever looks on knows events by their ids, and
 * follows rows by fields that the public service does not have.
 */
export function simProfile(name: DialectName): Profile {
  return { ...loadProfile({ profiles: './profiles' }, name), serving: described.serving };
}
