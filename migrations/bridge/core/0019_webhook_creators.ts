import { type Kysely, sql } from 'kysely';

// Why: a webhook is changed and ended by whoever registered it, or by the main account. For those that stand already
// the audit knows who it was; where it does not, the main account alone is left.

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('webhooks').addColumn('operator_id', 'bigint').execute();
  await db.schema.alterTable('webhooks').addColumn('token_id', 'bigint').execute();
  await sql`
    update webhooks set operator_id = (
      select min(audit.operator_id) from audit
      where audit.account_id = webhooks.account_id
        and audit.action = 'createWebhook' and audit.subject = cast(webhooks.id as text))`.execute(db);
}
