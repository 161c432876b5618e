import { isColor } from '../../kernel/markup/colors.ts';
import { type Html, html } from '../../kernel/markup/html.ts';
import { BRANDED, masthead } from '../../kernel/markup/look.ts';
import { actionForm, inputField, typed } from '../frame/form.ts';
import { section } from '../frame/table.ts';
import type { Visit } from '../visit.ts';
import { styleAddress } from './style.ts';

/** What was set of the look of an account. */
export interface Brand {
  readonly name: string | null;
  readonly color: string | null;
  readonly logo: { readonly address: string; readonly width: number; readonly height: number } | null;
}

const LONGEST_NAME = 80;

/** Shows the look as strangers see it, and the form that changes it. */
export function brandView(visit: Visit, brand: Brand): Html {
  const words = visit.texts.brand;
  return html`<header class="head">
      <h1>${words.title}</h1>
      <p class="dim">${words.hint}</p>
    </header>
    ${section('preview', words.preview, '', preview(visit, brand))}
    ${section(
      'change',
      words.change,
      '',
      actionForm(
        visit,
        { page: 'brand', action: 'save', hasFiles: true },
        html`${inputField({
            name: 'name',
            label: words.name,
            value: typed(visit, 'save', 'name', brand.name ?? ''),
            longest: LONGEST_NAME,
            hint: words.nameHint,
          })}
          ${inputField({
            name: 'color',
            label: words.color,
            value: typed(visit, 'save', 'color', brand.color ?? ''),
            longest: 7,
            hint: words.colorHint,
          })}
          <div class="field">
            <label for="logo">${words.logo}</label>
            <p id="logo-hint" class="dim">${words.logoHint}</p>
            <input id="logo" name="logo" type="file" accept="image/png,image/jpeg" aria-describedby="logo-hint" />
          </div>
          ${
            brand.logo
              ? html`<label class="tick"
                  ><input type="checkbox" name="without_logo" value="1" /> ${words.withoutLogo}</label
                >`
              : ''
          }
          <button type="submit">${visit.texts.form.save}</button>`,
      ),
    )}`;
}

function preview({ texts }: Visit, { name, color, logo }: Brand): Html {
  const words = texts.brand;
  if (name === null && color === null && logo === null) return html`<p class="dim">${words.plain}</p>`;
  const shown = color !== null && isColor(color) ? color : null;
  const sheet = shown === null ? html`` : html`<link rel="stylesheet" href="${styleAddress(shown)}" />`;
  return html`${sheet}
    <div class="${shown === null ? '' : BRANDED}">
      ${masthead({ name: name ?? words.nameOfAccount, color: shown, logo })}
    </div>`;
}
