/** What the OAuth server stands on: of the core it knows its accounts, and how a change is made, and nothing else. */
export { writeAudit } from '../audit/record.ts';
export { runChange } from '../change.ts';
export type { Change, Core } from '../context.ts';
export type { AccountRow, CoreDb, CoreTransaction } from '../database.ts';
export type { OAuthClientRow, OAuthCodeRow, OAuthGrantRow, OAuthTokenRow } from '../oauthTables.ts';
