import type { Instant } from '../../../kernel/dates.ts';
import { readFact } from '../../tables/connection/facts.ts';
import type { MirrorDb } from '../../tables/database.ts';

/** How registering our webhook went last. */
export interface RegistrationNote {
  /** refused: for good, as far as the answer tells · failed: it may go better next time · by_hand: not our doing. */
  state: 'registered' | 'by_hand' | 'refused' | 'failed';
  problem: string | null;
  /** Whether the secret of its deliveries was told when it was registered, is configured, or comes with the first one. */
  knows_secret: boolean;
  /** In a row. */
  failures: number;
  checked_at: Instant;
  /** When it was last made. */
  made_at: Instant | null;
  /** When it is looked at again; null: not by us. */
  next_at: Instant | null;
}

export async function readRegistration(db: MirrorDb, connection: string): Promise<RegistrationNote | undefined> {
  const fact = await readFact(db, connection, 'registration');
  return fact && (JSON.parse(fact.value) as RegistrationNote);
}
