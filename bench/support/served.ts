import { controlSecret, newToken, operationsOf, type Served } from '../../test/support/service.ts';
import type { WholeService } from './wholeService.ts';

/** So long something may take to arrive in the mirror: what was imported is read once more after a start. */
const PATIENCE_MS = 10 * 60_000;

/** The built service, asked as the tests ask theirs; with a token of its own. */
export async function servedBy({ service, place, remove }: WholeService): Promise<Served> {
  const { dataDir, databaseUrl = null } = place;
  const reached = { url: service.url, secret: controlSecret(dataDir), dataDir, databaseUrl };
  const served = { ...reached, token: await newToken(reached) };
  return { ...served, ...operationsOf(served, PATIENCE_MS), remove };
}
