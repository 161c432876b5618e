import type { Core } from '../../core/context.ts';
import type { CoreTransaction } from '../../core/database.ts';
import type { Reseal } from '../../kernel/seal.ts';
import { allSecrets, writeMailbox } from './table.ts';

type Keys = Pick<Core, 'sealer'>;
type Side = 'imap' | 'smtp';

/** Returns the stored form of a password of a mailbox. */
export function sealPassword({ sealer }: Keys, side: Side, id: number, password: string): string {
  return sealer.seal(password, contextOf(side, id));
}

export function openPassword({ sealer }: Keys, side: Side, id: number, sealed: string): string {
  return sealer.open(sealed, contextOf(side, id));
}

/** Seals the passwords of all mailboxes with another key. @returns the number of mailboxes */
export async function resealMailboxes(trx: CoreTransaction, reseal: Reseal): Promise<number> {
  const rows = await allSecrets(trx);
  for (const { account_id, id, imap_password, smtp_password } of rows) {
    await writeMailbox(
      trx,
      { account_id, id },
      {
        imap_password: reseal(imap_password, contextOf('imap', id)),
        smtp_password: smtp_password === null ? null : reseal(smtp_password, contextOf('smtp', id)),
      },
    );
  }
  return rows.length;
}

function contextOf(side: Side, id: number): string {
  return `mailbox_${side}:${id}`;
}
