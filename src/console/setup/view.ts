import { type Html, html } from '../../kernel/markup/html.ts';
import { actionForm, inputField, typed } from '../frame/form.ts';
import { section } from '../frame/table.ts';
import { fileForm } from '../import/fileForm.ts';
import type { Visit } from '../visit.ts';
import { type Job, REFUSED_ROWS } from './services.ts';

interface Shown {
  readonly properties: number;
  readonly job: Job | undefined;
}

/** Shows the steps of a beginning, each with its state; all can be left and taken up again. */
export function setupView(visit: Visit, { properties, job }: Shown): Html {
  const words = visit.texts.setup;
  return html`<header class="head">
      <h1>${words.title}</h1>
      <p class="dim">${words.hint}</p>
    </header>
    ${jobView(visit, job)}
    ${visit.isHere ? section('account', words.account, words.accountHint, accountForm(visit)) : ''}
    ${section(
      'begin',
      words.begin,
      properties === 0 ? words.beginHint : words.have(properties),
      html`<ul class="cards">
        ${
          visit.isHere
            ? html`${card(visit.address('import'), words.importFile, words.importHint, fileForm(visit))}
              ${card(visit.address('properties'), words.byHand, words.byHandHint)}
              ${card(visit.address('channels'), words.channels, words.channelsHint)}`
            : ''
        }
        ${card(visit.address('connect'), words.connect, words.connectHint)}
        ${
          visit.isHere
            ? html`<li class="card">
                <h3>${words.play}</h3>
                <p class="dim">${words.playHint}</p>
                ${playForm(visit, job)}
              </li>`
            : ''
        }
      </ul>`,
    )}
    ${section(
      'further',
      words.further,
      '',
      html`<ul class="cards">
        ${visit.isHere ? card(visit.address('booking'), words.booking, words.bookingHint) : ''}
        ${visit.isHere ? card(visit.address('brand'), words.brand, words.brandHint) : ''}
        ${visit.isHere ? card(visit.address('rates'), words.rates, words.ratesHint) : ''}
        ${card(visit.address('people'), words.people, words.peopleHint)}
        ${visit.isHere ? card(visit.address('mail'), words.mail, words.mailHint) : ''}
        ${card(visit.address('notices'), words.notices, words.noticesHint)}
        ${visit.isHere ? '' : card(visit.address('comparisons'), words.comparisons, words.comparisonsHint)}
        ${card(visit.address('access'), words.access, words.accessHint)}
        ${card(visit.address('record'), words.record, words.recordHint)}
        ${card(visit.address('me'), words.me, words.meHint)}
      </ul>`,
    )}`;
}

function card(address: string, title: string, hint: string, more?: Html): Html {
  return html`<li class="card">
    <h3><a href="${address}">${title}</a></h3>
    <p class="dim">${hint}</p>
    ${more ?? ''}
  </li>`;
}

function accountForm(visit: Visit): Html {
  const words = visit.texts.setup;
  return actionForm(
    visit,
    { page: 'setup', action: 'account' },
    html`${inputField({
        name: 'name',
        label: words.name,
        value: typed(visit, 'account', 'name', visit.person.account),
        isRequired: true,
        longest: 100,
      })}
      ${inputField({
        name: 'time_zone',
        label: words.timeZone,
        value: typed(visit, 'account', 'time_zone', visit.zone),
        isRequired: true,
        longest: 64,
        hint: words.timeZoneHint,
      })}
      ${inputField({
        name: 'currency',
        label: words.currency,
        value: typed(visit, 'account', 'currency', visit.currency),
        isRequired: true,
        longest: 3,
        hint: words.currencyHint,
      })} <button type="submit">${visit.texts.form.save}</button>`,
  );
}

function playForm(visit: Visit, job: Job | undefined): Html {
  const words = visit.texts.setup;
  if (job?.state === 'running') return html``;
  return actionForm(
    visit,
    { page: 'setup', action: 'play' },
    html`${inputField({ name: 'properties', label: words.properties, type: 'number', value: 10, min: 1, max: 50 })}
      ${inputField({ name: 'days', label: words.days, type: 'number', value: 60, min: 1, max: 365 })}
      <button type="submit" class="second">${words.playNow}</button>`,
  );
}

/** Shows how far long work is, or what came of it. */
export function jobView(visit: Visit, job: Job | undefined): Html {
  if (!job) return html``;
  const words = visit.texts.setup;
  const { kind, state, done, total, text, facts } = job;
  if (state === 'running') {
    return html`<section class="note" aria-labelledby="job">
      <h2 id="job">${words.jobs[kind]}</h2>
      <p role="status">
        <progress max="${Math.max(total, 1)}" value="${done}" aria-label="${words.jobs[kind]}"></progress> ${text}
      </p>
      <p><a href="${visit.address('setup')}">${words.lookAgain}</a></p>
    </section>`;
  }
  return html`<section class="${state === 'done' ? 'said' : 'note'}" aria-labelledby="job">
    <h2 id="job">${state === 'done' ? words.jobDone[kind] : words.jobFailed[kind]}</h2>
    <p>${text}</p>
    ${facts.length === 0 ? '' : factList(visit, facts)}
    ${
      facts.some(([fact]) => fact === REFUSED_ROWS)
        ? html`<p><a href="${visit.address('import/refused')}" download>${words.refusedRows}</a></p>`
        : ''
    }
    ${state === 'done' ? html`<p><a href="${visit.address('calendar')}">${words.toCalendar}</a></p>` : ''}
  </section>`;
}

function factList(visit: Visit, facts: Job['facts']): Html {
  const words = visit.texts.setup.facts;
  const shown = facts.filter(([fact]) => fact !== REFUSED_ROWS);
  return html`<dl class="facts">
    ${shown.map(
      ([fact, value]) =>
        html`<dt>${words[fact] ?? fact}</dt>
          <dd>${value}</dd>`,
    )}
  </dl>`;
}
