import { z } from 'zod';
import { ApiError } from '../../kernel/errors.ts';
import { type Html, html } from '../../kernel/markup/html.ts';
import { actionForm, askFirst } from '../frame/form.ts';
import { section } from '../frame/table.ts';
import { type ConsoleAction, consoleAction, type Download } from '../page.ts';
import type { Visit } from '../visit.ts';
import { facts, type GuestPage } from './content.ts';
import { requireStay } from './lookup.ts';

const page = z.object({
  url: z.string().nullable(),
  registered: z.object({ guests: z.int(), of: z.int() }).nullable(),
});
const registrations = z.object({
  registrations: z.array(
    z.object({ id: z.string(), property: z.string().nullable(), registered_at: z.string() }).catchall(z.unknown()),
  ),
});
const file = z.object({ name: z.string(), csv: z.string() });
const none = z.object({});

const PATH = '/portal/reservations/:code/guest_page';
const PEOPLE = '/portal/reservations/:code/guest_registrations';

/** Returns true for who may send guests their link, and see their papers. */
function mayServe(visit: Visit): boolean {
  return visit.isHere && visit.may('stay.change') && visit.may('persons');
}

/**
 * Reads the page for guests of a reservation; undefined where there can be none: elsewhere, and for who does not see
 * every room of it.
 */
export async function readGuestPage(visit: Visit, code: string, showsPeople: boolean): Promise<GuestPage | undefined> {
  if (!mayServe(visit)) return undefined;
  try {
    const found = page.parse(await visit.portal(`GET ${PATH}`, { code }));
    if (!showsPeople) return found;
    const { registrations: people } = registrations.parse(await visit.portal(`GET ${PEOPLE}`, { code }));
    return { ...found, people };
  } catch (error) {
    if (error instanceof ApiError && error.code === 404) return undefined;
    throw error;
  }
}

/** Shows the link, who has registered, and what can be done about both. */
export function guestPagePart(visit: Visit, code: string, shown: GuestPage | undefined): Html {
  const words = visit.texts.guestPage;
  if (!shown) return html``;
  const { url, registered } = shown;
  return section(
    'guest-page',
    words.title,
    words.hint,
    html`${url === null ? makeForm(visit) : linkPart(visit, url)}
      <p>${registered === null ? words.nothingAsked : words.registered(registered.guests, registered.of)}</p>
      ${peoplePart(visit, code, shown)}`,
  );
}

function makeForm(visit: Visit): Html {
  const words = visit.texts.guestPage;
  return html`<p>${words.none}</p>
    ${actionForm(visit, { page: 'stay', action: 'guest-page', classes: 'inline', label: words.make }, html`<button type="submit">${words.make}</button>`)}`;
}

function linkPart(visit: Visit, url: string): Html {
  const words = visit.texts.guestPage;
  return html`<p>
      <a href="${url}" rel="noreferrer noopener">${words.link}</a>
      <button type="button" class="second" data-copy="${url}" data-copied="${words.copied}" hidden>
        ${words.copy}
      </button>
    </p>
    <p><code class="secret">${url}</code></p>
    <div class="actions">
      ${askFirst(visit, { page: 'stay', action: 'guest-page-renew', open: words.renew, consequence: words.renews, confirm: words.renew })}
      ${askFirst(visit, { page: 'stay', action: 'guest-page-end', open: words.revoke, consequence: words.revokes, confirm: words.revoke })}
    </div>`;
}

function peoplePart(visit: Visit, code: string, { people, registered }: GuestPage): Html {
  const words = visit.texts.guestPage;
  if (!people) {
    if (registered === null || registered.guests === 0) return html``;
    const address = visit.address('stay', { code, registrations: 'show' });
    return html`<p><a href="${address}#guest-page">${words.show}</a> <span class="dim">${words.showHint}</span></p>`;
  }
  if (people.length === 0) return html`<p class="dim">${words.nobody}</p>`;
  return html`${people.map((person) => personPart(visit, person))}
    <p><a href="${visit.address('stay/registrations', { code })}">${words.download}</a></p>`;
}

function personPart(
  visit: Visit,
  { property, registered_at, ...person }: NonNullable<GuestPage['people']>[number],
): Html {
  const words = visit.texts.guestPage;
  const told = Object.entries(words.fields).map(([field, label]) => {
    const value = person[field];
    return [label, typeof value === 'string' ? value : null] as const;
  });
  return facts([...told, [visit.texts.today.unit, property], [words.registeredAt, visit.format.moment(registered_at)]]);
}

/** Gives what the guests of a stay's reservation have registered. @throws ApiError 403 for who may not see it */
export async function registrationsFile(visit: Visit): Promise<Download> {
  const stay = await requireStay(visit);
  if (!mayServe(visit)) throw new ApiError(403, visit.texts.guestPage.notAllowed);
  const { name, csv } = file.parse(await visit.portal(`GET ${PEOPLE}/csv`, { code: stay.reservation_code }));
  return { type: 'text/csv; charset=utf-8', name, body: csv };
}

const make = consoleAction({
  name: 'guest-page',
  right: 'stay.change',
  isQuiet: true,
  fields: none,
  async run(visit) {
    const { reservation_code: code } = await requireStay(visit);
    await visit.portal(`POST ${PATH}`, { code });
    return { said: visit.texts.guestPage.made };
  },
});

const renew = consoleAction({
  name: 'guest-page-renew',
  right: 'stay.change',
  isQuiet: true,
  fields: none,
  async run(visit) {
    const { reservation_code: code } = await requireStay(visit);
    await visit.portal(`POST ${PATH}`, { code, renew: true });
    return { said: visit.texts.guestPage.renewed };
  },
});

const end = consoleAction({
  name: 'guest-page-end',
  right: 'stay.change',
  isQuiet: true,
  fields: none,
  async run(visit) {
    const { reservation_code: code } = await requireStay(visit);
    await visit.portal(`DELETE ${PATH}`, { code });
    return { said: visit.texts.guestPage.revoked };
  },
});

/** What a person may do to the page for guests. */
export const guestPageActions: readonly ConsoleAction[] = [make, renew, end];
