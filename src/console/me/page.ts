import { z } from 'zod';
import { consoleAction, consolePage } from '../page.ts';
import type { Visit } from '../visit.ts';
import { offerAuthenticator, offerPasskey, readOwnSafety } from './query.ts';
import { authenticatorView, meView, passkeyView, recoveryCodesView } from './view.ts';

const name = z.string().trim().min(1).max(50);
const offer = z.string();
const added = z.object({ recovery_codes: z.array(z.string()) });

/** A person's own page: second factors, sessions, password. */
export const mePage = consolePage({
  path: 'me',
  right: 'me',
  title: (texts) => texts.me.title,
  question: z.object({ add: z.enum(['authenticator', 'passkey']).optional() }),
  actions: [
    consoleAction({
      name: 'add-authenticator',
      right: 'me',
      isQuiet: true,
      fields: z.object({ name, offer, code: z.string() }),
      run: (visit, fields) => addFactor(visit, fields),
    }),
    consoleAction({
      name: 'add-passkey',
      right: 'me',
      isQuiet: true,
      fields: z.object({ name, offer, passkey: z.string() }),
      run: (visit, fields) => addFactor(visit, fields),
    }),
    consoleAction({
      name: 'remove-factor',
      right: 'me',
      isQuiet: true,
      fields: z.object({ id: z.coerce.number().int() }),
      async run(visit, { id }) {
        await visit.portal('DELETE /portal/second_factors/:id', { id });
        return { said: visit.texts.me.removed };
      },
    }),
    consoleAction({
      name: 'renew-codes',
      right: 'me',
      isQuiet: true,
      fields: z.object({}),
      async run(visit) {
        const { recovery_codes: codes } = added.parse(await visit.portal('POST /portal/recovery_codes'));
        return { said: visit.texts.me.codesMade, shows: recoveryCodesView(visit, codes) };
      },
    }),
    consoleAction({
      name: 'end-session',
      right: 'me',
      isQuiet: true,
      fields: z.object({ id: z.string() }),
      async run(visit, { id }) {
        await visit.portal('DELETE /portal/sessions/:id', { id });
        return { said: visit.texts.me.ended };
      },
    }),
    consoleAction({
      name: 'password',
      right: 'me',
      isQuiet: true,
      fields: z.object({ old: z.string(), password: z.string() }),
      async run(visit, fields) {
        await visit.changePassword(fields);
        return { said: visit.texts.me.passwordChanged };
      },
    }),
  ],
  async render(visit, { add }) {
    if (add === 'authenticator') return authenticatorView(visit, await offerAuthenticator(visit));
    if (add === 'passkey') return passkeyView(visit, await offerPasskey(visit));
    return meView(visit, await readOwnSafety(visit));
  },
});

async function addFactor(visit: Visit, fields: { name: string; offer: string; code?: string; passkey?: string }) {
  const answer = await visit.portal('POST /portal/second_factors', { ...fields, origin: visit.origin });
  const { recovery_codes: codes } = added.parse(answer);
  const said = visit.texts.me.added(fields.name);
  return codes.length === 0
    ? { said, to: visit.address('me') }
    : { said, to: visit.address('me'), shows: recoveryCodesView(visit, codes) };
}
