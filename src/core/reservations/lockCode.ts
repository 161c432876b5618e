import type { AccountId } from '../../kernel/ids.ts';
import { type Reseal, sealOnce, type Sealer } from '../../kernel/seal.ts';
import { type ClearRows, eachRow, type KeyedRows, type Row } from '../../store/sealing/sealClear.ts';
import type { CoreDatabase, CoreTransaction, StayRow } from '../database.ts';

/** Returns the stored form of a lock code. */
export function sealLockCode(sealer: Sealer, stayId: number, code: string | null): string | null {
  return code === null ? null : sealer.seal(code, sealContext(stayId));
}

/** Returns a lock code in clear. Throws OperatorError when it was stored with another key, or not by this program. */
export function openLockCode(sealer: Sealer, { id, lock_code }: Pick<StayRow, 'id' | 'lock_code'>): string | null {
  return lock_code === null ? null : sealer.open(lock_code, sealContext(id));
}

const rows = {
  table: 'stays',
  key: ['account_id', 'id'],
  columns: ['lock_code'],
  present: 'lock_code',
} as const satisfies KeyedRows<CoreDatabase>;

/** Lock codes that an earlier version stored in clear. */
export const clearLockCodes: ClearRows<CoreDatabase> = {
  ...rows,
  name: 'stays.lock_code',
  async seal(trx, row, sealer) {
    await save(trx, row, (code, stayId) => sealOnce(sealer, code, sealContext(stayId)));
    return true;
  },
};

/** Seals all lock codes with another key. @returns their number */
export function resealLockCodes(trx: CoreTransaction, reseal: Reseal): Promise<number> {
  return eachRow(trx, rows, (row) => save(trx, row, (sealed, stayId) => reseal(sealed, sealContext(stayId))));
}

async function save(trx: CoreTransaction, row: Row, made: (text: string, stayId: number) => string): Promise<void> {
  const id = Number(row['id']);
  await trx
    .updateTable('stays')
    .set({ lock_code: made(String(row['lock_code']), id) })
    .where('account_id', '=', String(row['account_id']) as AccountId)
    .where('id', '=', id)
    .execute();
}

function sealContext(stayId: number): string {
  return `lock code of stay ${stayId}`;
}
