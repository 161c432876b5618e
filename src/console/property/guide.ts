import { z } from 'zod';
import { type Html, html } from '../../kernel/markup/html.ts';
import { actionForm, hiddenFields, inputField, typed } from '../frame/form.ts';
import { section } from '../frame/table.ts';
import { consoleAction } from '../page.ts';
import type { Visit } from '../visit.ts';

const TELL = 'tell';
const stored = z.object({ guide: z.string(), country: z.string().nullable(), phone: z.string().nullable() });

/** What a property tells its guests. */
export type Guide = z.output<typeof stored>;

/** Reads what a property tells its guests. */
export async function readGuide(visit: Visit, property: number): Promise<Guide> {
  return stored.parse(await visit.portal('GET /portal/guest_guides/:property_id', { property_id: property }));
}

/** Shows the form for what a property tells its guests. */
export function guideForm(visit: Visit, { id, name }: { id: number; name: string }, guide: Guide): Html {
  const words = visit.texts.guestPage;
  return section(
    'guide',
    words.guide,
    words.guideHint,
    actionForm(
      visit,
      { page: 'properties', action: TELL, label: words.guide },
      html`${hiddenFields({ id, name })}
        <div class="field wide">
          <label for="guide-text">${words.guideText}</label>
          <p id="guide-text-hint" class="dim">${words.guideTextHint}</p>
          <textarea id="guide-text" name="guide" maxlength="20000" rows="10" aria-describedby="guide-text-hint">
${typed(visit, TELL, 'guide', guide.guide)}</textarea>
        </div>
        ${inputField({ name: 'phone', label: words.phone, value: typed(visit, TELL, 'phone', guide.phone ?? ''), type: 'tel', longest: 40, of: 'guide-' })}
        ${inputField({ name: 'country', label: words.country, hint: words.countryHint, value: typed(visit, TELL, 'country', guide.country ?? ''), longest: 2, of: 'guide-' })}
        <button type="submit">${visit.texts.form.save}</button>`,
    ),
  );
}

/** Changes what a property tells its guests; an empty field takes away. */
export const tellGuests = consoleAction({
  name: TELL,
  right: 'setup',
  isQuiet: true,
  fields: z.object({
    id: z.coerce.number().int(),
    name: z.string().default(''),
    guide: z.string().default(''),
    country: z.string().trim().default(''),
    phone: z.string().default(''),
  }),
  async run(visit, { id, name, guide, country, phone }) {
    const change = { property_id: id, guide, country: country === '' ? null : country, phone };
    await visit.portal('PATCH /portal/guest_guides/:property_id', change);
    return { said: visit.texts.guestPage.told(name), to: visit.address('properties', { property: id }) };
  },
});
