import { LONGEST_MESSAGE } from '../../core/guestPages/message.ts';
import type { ReservationOfGuest, StayOfGuest } from '../../core/guestPages/shown.ts';
import type { PlainDate } from '../../kernel/dates.ts';
import { type Html, html } from '../../kernel/markup/html.ts';
import { type Look, masthead } from '../../kernel/markup/look.ts';
import { decimalText } from '../../kernel/money.ts';
import { registrationPart, type RefusedGuest } from './form.ts';
import { LANGUAGES } from './language.ts';
import { guestDocument } from './style.ts';
import type { GuestTexts } from './texts/en.ts';

/** What a page shows, and what was done just before. */
export interface ShownPage {
  readonly texts: GuestTexts;
  readonly token: string;
  readonly reservation: ReservationOfGuest;
  readonly look: Look | undefined;
  /** Returns a number for a form, so that sending it twice does one thing. */
  readonly freshNumber: () => string;
  readonly said?: string | undefined;
  readonly refusedGuest?: RefusedGuest | undefined;
  readonly refusedMessage?: { readonly says: string; readonly text: string } | undefined;
}

/** Renders the page of a reservation for its guests, in the look of the account. */
export function renderGuestPage(shown: ShownPage): string {
  const { texts, token, reservation, look, said } = shown;
  const done = said !== undefined && Object.hasOwn(texts.said, said) ? texts.said[said] : undefined;
  const isEnded = reservation.standing === 'ended';
  const [only] = reservation.stays.length === 1 ? reservation.stays : [];
  const title = only?.property ?? texts.title;
  return guestDocument(
    look ? `${title} · ${look.name}` : title,
    html`${languageLinks(texts, token)} ${masthead(look)}
      <main>
        <h1>${texts.title}</h1>
        <p class="dim">${texts.reservation(reservation.code)}</p>
        ${done === undefined ? '' : html`<p class="said" role="status">${done}</p>`}
        ${isEnded ? html`<p class="bad">${texts.status.ended} ${texts.status.endedHint}</p>` : ''}
        ${reservation.standing === 'waits' ? html`<p class="note">${texts.status.waits}</p>` : ''}
        ${reservation.stays.map((stay) => stayPart(shown, stay))} ${balancePart(shown)}
        ${isEnded ? '' : messagePart(shown)}
      </main>`,
    look,
    texts.language,
  );
}

function languageLinks({ languages, language }: GuestTexts, token: string): Html {
  return html`<nav class="languages" aria-label="${languages}">
    ${LANGUAGES.map((one) =>
      one.language === language
        ? html`<span aria-current="true">${one.name}</span>`
        : html`<a href="/stay/${token}?lang=${one.language}" lang="${one.language}" hreflang="${one.language}"
            >${one.name}</a
          >`,
    )}
  </nav>`;
}

function stayPart(shown: ShownPage, stay: StayOfGuest): Html {
  const { texts, reservation } = shown;
  const { language } = texts;
  const hour = (date: PlainDate, time: string | null, say: (time: string) => string) =>
    time === null ? dayText(language, date) : `${dayText(language, date)}, ${say(time)}`;
  const isPartEnded = stay.standing === 'ended' && reservation.standing !== 'ended';
  return html`<section aria-labelledby="stay-${stay.stay_code}">
    <h2 id="stay-${stay.stay_code}">${stay.property ?? texts.noProperty}</h2>
    ${isPartEnded ? html`<p class="bad">${texts.status.stayEnded}</p>` : ''}
    <dl>
      <dt>${texts.arrival}</dt>
      <dd>${hour(stay.check_in_date, stay.comesFrom, texts.from)}</dd>
      <dt>${texts.departure}</dt>
      <dd>${hour(stay.check_out_date, stay.leavesBy, texts.until)}</dd>
      <dt>${texts.guests}</dt>
      <dd>${stay.guests}</dd>
      ${
        stay.address === null
          ? ''
          : html`<dt>${texts.address}</dt>
              <dd>${stay.address}</dd>`
      }
      ${
        stay.phone === null
          ? ''
          : html`<dt>${texts.phone}</dt>
              <dd>${phoneLink(stay.phone)}</dd>`
      }
    </dl>
    ${codePart(texts, stay)}
    ${
      stay.guide === ''
        ? ''
        : html`<h3>${texts.guide}</h3>
            <p class="guide">${stay.guide}</p>`
    }
    ${registrationPart({ ...shown, to: (what) => addressOf(shown, what), refused: shown.refusedGuest }, stay)}
  </section>`;
}

function codePart(texts: GuestTexts, { code, check_in_date }: StayOfGuest): Html {
  if (code === null || code.seen === 'never') return html``;
  return html`<h3>${texts.code}</h3>
    ${
      code.text === null
        ? html`<p>${texts.codeLater(dayText(texts.language, check_in_date), code.from)}</p>`
        : html`<p class="code">${code.text}</p>`
    }`;
}

function balancePart({ texts, reservation: { balance } }: ShownPage): Html {
  if (balance === null) return html``;
  const { amount, currency, payAt } = balance;
  const money = new Intl.NumberFormat(texts.language, { style: 'currency', currency });
  return html`<section aria-labelledby="balance">
    <h2 id="balance">${texts.balance}</h2>
    <p>${texts.balanceOpen(money.format(Number(decimalText(amount, currency))))}</p>
    ${payAt === null ? '' : html`<p><a class="button" href="${payAt}" rel="noreferrer">${texts.pay}</a></p>`}
  </section>`;
}

function messagePart(shown: ShownPage): Html {
  const { texts, reservation, refusedMessage, freshNumber } = shown;
  const phones = [...new Set(reservation.stays.flatMap(({ phone }) => (phone === null ? [] : [phone])))];
  return html`<section aria-labelledby="message">
    <h2 id="message">${texts.message}</h2>
    ${
      reservation.canWrite
        ? html`<form method="post" action="${addressOf(shown, 'message')}">
            ${refusedMessage ? html`<p class="bad" role="alert">${refusedMessage.says}</p>` : ''}
            <input type="hidden" name="once" value="${freshNumber()}" />
            <p class="field">
              <label for="text">${texts.messageText}</label>
              <textarea id="text" name="text" rows="4" maxlength="${LONGEST_MESSAGE}" aria-describedby="hint">
${refusedMessage?.text ?? ''}</textarea>
            </p>
            <p id="hint" class="dim">${texts.messageHint}</p>
            <button type="submit">${texts.send}</button>
          </form>`
        : html`<p>${texts.noMessage} ${phones.length > 0 ? texts.call(phones.join(', ')) : texts.answerElsewhere}</p>`
    }
  </section>`;
}

function phoneLink(phone: string): Html {
  return html`<a href="tel:${phone.replaceAll(/[^\d+]/g, '')}">${phone}</a>`;
}

function addressOf({ token, texts }: ShownPage, what: string): string {
  return `/stay/${token}/${what}?lang=${texts.language}`;
}

function dayText(language: string, date: PlainDate): string {
  const format = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, format).format(new Date(`${date}T00:00:00Z`));
}

/** Renders a page that says one thing, without anything of an account. */
export function renderPlain({ language }: GuestTexts, title: string, hint: string): string {
  return guestDocument(
    title,
    html`<main>
      <h1>${title}</h1>
      <p>${hint}</p>
    </main>`,
    undefined,
    language,
  );
}
