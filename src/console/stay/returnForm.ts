import type { Html } from '../../kernel/markup/html.ts';
import { askFirst } from '../frame/form.ts';
import type { Visit } from '../visit.ts';
import { type DepositSums, stateOf } from './deposit.ts';

/** Builds the button that gives all that is owed of a deposit back. */
export function returnForm(
  visit: Visit,
  { code, guest, deposit }: { code: string; guest: string; deposit: DepositSums },
): Html {
  const words = visit.texts.stay;
  const amount = visit.format.money(deposit.owed, deposit.currency);
  return askFirst(visit.refused?.fields['event'] === 'returned' ? visit : { ...visit, refused: undefined }, {
    page: 'stay',
    action: 'deposit',
    at: { code },
    open: words.depositMoves.returned,
    consequence: words.returns(guest, amount),
    confirm: words.depositMoves.returned,
    hidden: { event: 'returned', state: stateOf(deposit) },
    isGood: true,
  });
}
