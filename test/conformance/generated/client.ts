import { client } from './client/client.gen.ts';
import { createProperty, createReservation, listReservations } from './client/sdk.gen.ts';
import type { Failure, Reservation } from './client/types.gen.ts';

declare const process: { env: Record<string, string | undefined> };

const { STAYD_URL = '', STAYD_TOKEN = '' } = process.env;
client.setConfig({ baseUrl: `${STAYD_URL}/v3`, auth: STAYD_TOKEN });

const { property_id } = dataOf((await createProperty({ body: { name: 'Sea View' } })).data);
const body = {
  property_id,
  check_in_date: '2027-03-05',
  check_out_date: '2027-03-08',
  guest_name: 'Clara Hofmann',
  rate_amount: 300,
  commission_amount: 0,
  received_amount: 100,
};
const { reservation_code } = dataOf((await createReservation({ body })).data);
const { reservations } = dataOf((await listReservations({ query: { reservation_code } })).data);
const [stay]: Reservation[] = reservations;
if (stay?.guest_name !== body.guest_name) throw new Error(`not what was booked: ${JSON.stringify(stay)}`);
const refused = (await createReservation({ body })).data;
if (refused?.error_code !== 409) throw new Error(`not refused: ${JSON.stringify(refused)}`);

function dataOf<Data>(answer: { error_code: 200; data: Data } | Failure | undefined): Data {
  if (answer?.error_code === 200) return answer.data;
  throw new Error(`${answer?.error_code}: ${answer?.error_msg}`);
}
