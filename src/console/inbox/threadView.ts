import { MESSAGE_LENGTH } from '../../contract/conversations.ts';
import { type Html, html } from '../../kernel/markup/html.ts';
import { actionForm, askFirst, hiddenFields, typed } from '../frame/form.ts';
import type { Visit } from '../visit.ts';
import { DECIDABLE, type Plan } from './drafts.ts';
import type { InboxQuestion, Opened } from './question.ts';
import type { Message, Thread } from './thread.ts';

const MORE_MESSAGES = 100;
/** Says of a draft only that it is one. */
const NO_NEWS = 'draft';

/** Shows a conversation: its messages, the drafts that wait, and the box for an answer. */
export function threadView(visit: Visit, asked: InboxQuestion, { thread, plans }: Opened): Html {
  const words = visit.texts.inbox;
  const { show, property, named, page } = asked;
  const back = visit.address('inbox', { show, property, named, page: page > 1 ? page : undefined });
  return html`<section class="thread" aria-labelledby="thread">
    <p class="back"><a href="${back}">${words.back}</a></p>
    <h2 id="thread">${thread.guest.name ?? words.unknownGuest}</h2>
    ${lateRefusal(visit, plans)} ${earlier(visit, asked, thread)}
    ${
      thread.messages.length === 0
        ? html`<p class="dim">${words.noMessages}</p>`
        : html`<ol class="messages">
            ${thread.messages.map((message) => messageItem(visit, thread, message))}
          </ol>`
    }
    ${plans.map((plan) => planCard(visit, plan))} ${visit.may('inbox.send') ? answerForm(visit) : ''}
  </section>`;
}

/** Says why a draft could not be sent or discarded, if it is gone by now and has no form any more. */
function lateRefusal({ refused, texts }: Visit, plans: readonly Plan[]): Html {
  if (!refused || !['approve', 'discard'].includes(refused.action)) return html``;
  if (plans.some(({ plan_id, state }) => plan_id === refused.fields['plan'] && DECIDABLE.has(state))) return html``;
  return html`<p class="bad" role="alert">${texts.form.wrong(refused.problem)}</p>`;
}

function earlier(visit: Visit, asked: InboxQuestion, { earlier: more, messages }: Thread): Html {
  if (more === 0) return html``;
  const { show, property, named, page, conversation } = asked;
  const shown = messages.length + MORE_MESSAGES;
  const to = visit.address('inbox', { show, property, named, page, conversation, messages: shown });
  return html`<p><a href="${to}">${visit.texts.inbox.earlier(more)}</a></p>`;
}

function messageItem({ texts, format }: Visit, { guest }: Thread, message: Message): Html {
  const words = texts.inbox;
  const { isGuest, sender, sent_at, content, attachments, sources } = message;
  const by = sender ?? (isGuest ? (guest.name ?? words.unknownGuest) : words.host);
  return html`<li class="${isGuest ? 'message theirs' : 'message ours'}">
    <p class="by dim">
      <span class="who">${by}</span> ${sent_at === null ? '' : html`<span>${format.moment(sent_at)}</span>`}
      ${sources.length > 0 ? html`<span class="chip">${words.automatic(sources.map(words.source).join(', '))}</span>` : ''}
    </p>
    ${content === '' ? '' : html`<p class="words">${content}</p>`}
    ${attachments.map((file) => html`<p>${fileLink(file)}</p>`)}
  </li>`;
}

/** Links a file if its address leads to the web and nowhere else. */
function fileLink({ url, name }: { url: string; name: string }): Html {
  const text = name === '' ? url : name;
  if (!/^https?:\/\//i.test(url)) return html`${text}`;
  return html`<a href="${url}" rel="noreferrer noopener" target="_blank">${text}</a>`;
}

function planCard(visit: Visit, plan: Plan): Html {
  const { texts, format } = visit;
  const words = texts.inbox;
  const { plan_id, rule, state, reason, because, text, sources, next_at, approved } = plan;
  const waits = DECIDABLE.has(state);
  const head = waits ? words.draftOf(rule) : words.plannedBy(rule, format.moment(next_at), approved);
  return html`<article class="draft" id="plan-${plan_id}" aria-label="${head}">
    <p class="by">
      <strong>${head}</strong> ${because && reason !== NO_NEWS ? html`<span class="dim">${because}</span>` : ''}
    </p>
    ${text === null ? (waits ? html`<p class="dim">${words.noDraft}</p>` : '') : html`<p class="words">${text}</p>`}
    ${
      sources === null || sources.length === 0
        ? ''
        : html`<details>
            <summary>${words.sources(sources.length)}</summary>
            ${sources.map(
              (source) => html`<p class="dim"><strong>${source.title ?? ''}</strong> ${source.text ?? ''}</p>`,
            )}
          </details>`
    }
    ${waits && visit.may('inbox.send') ? decisions(visit, plan) : ''}
  </article>`;
}

/** The buttons of one draft. A refusal about another draft is not said here. */
function decisions(visit: Visit, { plan_id, state, text, action }: Plan): Html {
  const words = visit.texts.inbox;
  const isMine = visit.refused?.fields['plan'] === plan_id;
  const own = isMine ? visit : { ...visit, refused: undefined };
  const hidden = { plan: plan_id, state };
  const wasEdited = own.refused?.action === 'approve' && own.refused.fields['text'] !== undefined;
  const asIs = text !== null || action !== 'ai_draft';
  const edited = html`${hiddenFields(hidden)}
    <div class="wide">
      <label for="text-${plan_id}">${words.yourWords}</label>
      <textarea id="text-${plan_id}" name="text" maxlength="${MESSAGE_LENGTH}" required>
${typed(own, 'approve', 'text', text ?? '')}</textarea>
    </div>
    <button type="submit">${words.sendEdited}</button>`;
  const page = 'inbox';
  return html`<div class="actions">
    ${
      asIs
        ? actionForm(
            wasEdited ? { ...own, refused: undefined } : own,
            { page, action: 'approve' },
            html`${hiddenFields(hidden)}<button type="submit">${words.sendAsIs}</button>`,
          )
        : ''
    }
    <details class="ask" ${wasEdited || !asIs ? 'open' : ''}>
      <summary>${words.edit}</summary>
      ${actionForm(wasEdited || !asIs ? own : { ...own, refused: undefined }, { page, action: 'approve' }, edited)}
    </details>
    ${askFirst(own, {
      page,
      action: 'discard',
      open: words.discard,
      consequence: words.discardHint,
      confirm: words.discardReally,
      hidden,
    })}
  </div>`;
}

function answerForm(visit: Visit): Html {
  const words = visit.texts.inbox;
  return actionForm(
    visit,
    { page: 'inbox', action: 'send', classes: 'form answer', keeps: true },
    html`<div class="wide">
        <label for="answer">${words.answer}</label>
        <textarea id="answer" name="message" maxlength="${MESSAGE_LENGTH}" required>
${typed(visit, 'send', 'message')}</textarea>
      </div>
      <button type="submit">${words.send}</button>
      <p class="dim keys">${words.keys}</p>`,
  );
}
