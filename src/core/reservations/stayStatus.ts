import type { Handler } from '../context.ts';
import { announceStay, writeStay } from './change.ts';
import { requireStay } from './require.ts';

export const updateStayStatus: Handler<'updateStayStatus'> = async ({ stay_code, stay_status }, context) => {
  await context.change(async (change) => {
    const { stay } = await requireStay(change, context, stay_code);
    if (stay.stay_status === stay_status) return;
    await writeStay(change, stay, { stay_status });
    announceStay(change, stay);
    change.audit('updateStayStatus', stay.stay_code);
  });
};
