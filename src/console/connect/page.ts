import { z } from 'zod';
import { consoleAction, consolePage } from '../page.ts';
import { connectView, contactView } from './view.ts';

const deployment = z.object({ url: z.string().max(500), token: z.string().max(4_000) });

/** Connect: mirrors another deployment by its address and a token. */
export const connectPage = consolePage({
  path: 'connect',
  right: 'setup',
  title: (texts) => texts.connect.title,
  question: z.object({}),
  actions: [
    consoleAction({
      name: 'check',
      right: 'setup',
      isQuiet: true,
      fields: deployment,
      async run(visit, given) {
        const contact = await visit.services.setup.contact(given);
        return { said: visit.texts.connect.answered, shows: contactView(visit, given, contact) };
      },
    }),
    consoleAction({
      name: 'save',
      right: 'setup',
      isQuiet: true,
      fields: deployment.extend({ time_zone: z.string().max(64).optional(), currency: z.string().max(3).optional() }),
      async run(visit, given) {
        const name = await visit.services.setup.connect(visit.person, given);
        return { said: visit.texts.connect.saved(name), to: visit.address('health') };
      },
    }),
  ],
  render: async (visit) => connectView(visit),
});
