import { readConnection } from '../../tables/connection/state.ts';
import type { MirrorDb } from '../../tables/database.ts';
import { readRegistration } from '../webhook/registrationNote.ts';
import { isUnlikelySilent } from '../source/silence.ts';
import type { Trouble } from './trouble.ts';

const REGISTER = './stayd webhook register asks again at once';

/** Reports a webhook that is not registered, whose secret is unknown, or that is silent. */
export async function webhookTroubles(db: MirrorDb, connection: string): Promise<Trouble[]> {
  const note = await readRegistration(db, connection);
  if (!note || note.state === 'by_hand') return [];
  if (note.state !== 'registered') {
    const says = `it is not registered since ${note.checked_at}: ${note.problem}; asked again at ${note.next_at}`;
    const remedy = `${REGISTER}; or register the URL by hand and set webhook_secret`;
    return [
      { about: 'webhook', level: note.failures > 1 || note.state === 'refused' ? 'alarm' : 'note', says, remedy },
    ];
  }
  const { webhook_secret: secret } = await readConnection(db, connection);
  if (secret === null && !note.knows_secret) {
    const says = `it is registered since ${note.made_at}, and no operation has returned its secret, so events cannot be proven`;
    const remedy =
      'set webhook_secret of the connection (each delivery carries it in a header), or trust_first_secret: true, which ' +
      'takes it from the first delivery; with either, this is over at the next start';
    return [{ about: 'webhook', level: 'note', says, remedy }];
  }
  if (!(await isUnlikelySilent(db, connection, note))) return [];
  const says = 'it is registered, and readings find changes of which no event has come';
  const remedy = `./stayd webhook register --force makes a new one (by itself once a day); see whether its URL is reached from there`;
  return [{ about: 'webhook', level: 'problem', says, remedy }];
}
