import type { Instant } from '../../../kernel/dates.ts';
import { readFact } from '../../tables/connection/facts.ts';
import type { MirrorDb } from '../../tables/database.ts';

/** The outcome of the last registration of our webhook. */
export interface RegistrationNote {
  /**
   * refused: permanently, as far as the answer shows · failed: the next attempt may succeed · by_hand: not our task.
   */
  state: 'registered' | 'by_hand' | 'refused' | 'failed';
  problem: string | null;
  /**
   * True if the secret of its deliveries came with the registration, is configured, or comes with the first delivery.
   */
  knows_secret: boolean;
  /** The number of failures in a row. */
  failures: number;
  checked_at: Instant;
  /** The moment when it was last made. */
  made_at: Instant | null;
  /** The time of the next check; null: we make none. */
  next_at: Instant | null;
}

export async function readRegistration(db: MirrorDb, connection: string): Promise<RegistrationNote | undefined> {
  const fact = await readFact(db, connection, 'registration');
  return fact && (JSON.parse(fact.value) as RegistrationNote);
}
