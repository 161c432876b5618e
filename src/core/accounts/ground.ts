/** The parts of the core that the OAuth server uses: its accounts and the way to make a change, and nothing else. */
export { writeAudit } from '../audit/record.ts';
export { runChange } from '../change.ts';
export type { Change, Core } from '../context.ts';
export type { AccountRow, CoreDb, CoreTransaction } from '../database.ts';
export type { OAuthClientRow, OAuthCodeRow, OAuthGrantRow, OAuthTokenRow } from '../oauthTables.ts';
