import { z } from 'zod';
import { ApiError } from '../../kernel/errors.ts';
import { html } from '../../kernel/markup/html.ts';
import { ROLES } from '../../kernel/roles.ts';
import { consoleAction, consolePage, type Done } from '../page.ts';
import { readProperties } from '../properties.ts';
import type { Visit } from '../visit.ts';
import { makeInvite, readPeople } from './query.ts';
import { draftForm, inviteView, peopleView } from './view.ts';

const id = z.coerce.number().int();
const draft = z.object({
  name: z.string().trim().min(1).max(100),
  role: z.enum(ROLES).exclude(['owner']),
  sees: z.enum(['all', 'some']),
  property_ids: z
    .union([z.array(z.string()), z.string().transform((one) => [one])])
    .default([])
    .transform((ids) => ids.map(Number)),
});
const made = z.object({ id: z.int() });

/** People: who beside the owner may use the account, as what, and for which properties. */
export const peoplePage = consolePage({
  path: 'people',
  right: 'people',
  title: (texts) => texts.people.title,
  question: z.object({ edit: z.coerce.number().int().optional() }),
  actions: [
    consoleAction({
      name: 'add',
      right: 'people',
      isQuiet: true,
      fields: draft,
      async run(visit, fields) {
        const { id: operatorId } = made.parse(await visit.portal('POST /portal/sub_accounts', inputOf(fields)));
        return showInvite(visit, operatorId, fields.name);
      },
    }),
    consoleAction({
      name: 'change',
      right: 'people',
      isQuiet: true,
      fields: draft.extend({ id }),
      async run(visit, { id: operatorId, ...fields }) {
        await visit.portal('PUT /portal/sub_accounts/:id', { id: operatorId, ...inputOf(fields) });
        return { said: visit.texts.people.changed(fields.name), to: visit.address('people') };
      },
    }),
    consoleAction({
      name: 'invite',
      right: 'people',
      isQuiet: true,
      fields: z.object({ id }),
      async run(visit, { id: operatorId }) {
        const person = (await readPeople(visit)).find((one) => one.id === operatorId);
        return showInvite(visit, operatorId, person?.name ?? '');
      },
    }),
    consoleAction({
      name: 'take-access',
      right: 'people',
      isQuiet: true,
      fields: z.object({ id }),
      async run(visit, { id: operatorId }) {
        await visit.portal('DELETE /portal/sub_accounts/:id/access', { id: operatorId });
        return { said: visit.texts.people.taken };
      },
    }),
  ],
  async render(visit, { edit }) {
    const { services, connection } = visit;
    const people = await readPeople(visit);
    const properties = await readProperties(services.db, { connection });
    if (edit === undefined) return peopleView(visit, people, properties);
    const person = people.find((one) => one.id === edit);
    if (!person) throw new ApiError(404, `there is no person ${edit}`);
    return html`<h1>${person.name}</h1>
      ${draftForm(visit, properties, person)}`;
  },
});

function inputOf({ sees, ...fields }: z.output<typeof draft>) {
  return { ...fields, all_properties: sees === 'all', property_ids: sees === 'all' ? [] : fields.property_ids };
}

async function showInvite(visit: Visit, operatorId: number, name: string): Promise<Done> {
  const { secret, expires_at } = await makeInvite(visit, operatorId);
  const link = `${visit.origin}/console/welcome#${secret}`;
  return { said: visit.texts.people.invited(name), shows: inviteView(visit, name, link, expires_at) };
}
