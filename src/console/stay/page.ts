import { z } from 'zod';
import { consolePage } from '../page.ts';
import type { Visit } from '../visit.ts';
import { stayActions } from './actions.ts';
import { agreedActions, readAgreed } from './booking.ts';
import { moneyActions, readDeposit } from './deposit.ts';
import { detailsOf } from './details.ts';
import { guestPageActions, readGuestPage, registrationsFile } from './guestPage.ts';
import { readHistory } from './history.ts';
import { requireStay } from './lookup.ts';
import { dictionaryOf, readAround, type Stay } from './query.ts';
import { stayView } from './view.ts';

/** Stay: everything about one stay, and what can be done with it. */
export const stayPage = consolePage({
  path: 'stay',
  right: 'stay',
  title: (texts) => texts.stay.title,
  question: z.object({
    code: z.string().min(1).max(100),
    lock: z.literal('show').optional(),
    registrations: z.literal('show').optional(),
  }),
  actions: [...stayActions, ...moneyActions, ...agreedActions, ...guestPageActions],
  downloads: { registrations: registrationsFile },
  async render(visit, { lock, registrations }) {
    const { services, connection, person } = visit;
    const stay = await requireStay(visit);
    const { stay_code: code, reservation_code: reservation } = stay;
    const properties = person.properties ?? undefined;
    const mayPay = visit.may('stay.money');
    const dictionary = (name: string) => (mayPay ? dictionaryOf(services.db, { connection, dictionary: name }) : []);
    return stayView(visit, {
      stay,
      details: detailsOf(stay.raw),
      around: await readAround(services.db, { connection, stay, properties }),
      deposit: await readDeposit(visit, stay),
      agreed: await readAgreed(visit, stay),
      history: await readHistory(services.db, { connection, code, reservation }),
      items: await dictionary('income_items'),
      methods: await dictionary('income_methods'),
      guestPage: await readGuestPage(visit, reservation, registrations === 'show'),
      lockCode: lock === 'show' && visit.may('stay.change') ? await readLockCode(visit, stay) : undefined,
    });
  },
});

/** Asks for the lock code where the stay is kept; the mirror has it sealed. */
async function readLockCode(visit: Visit, { reservation_code, stay_code }: Stay): Promise<string | null> {
  const { reservations } = await visit.v3('listReservations', { reservation_code });
  return reservations.find((one) => one.stay_code === stay_code)?.check_in_details?.lock_code ?? null;
}
