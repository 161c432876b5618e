import { type Html, html } from '../../kernel/markup/html.ts';
import { actionForm, askFirst, hiddenFields } from '../frame/form.ts';
import { section, table } from '../frame/table.ts';
import type { Visit } from '../visit.ts';
import { addForm } from './form.ts';
import type { LoggedMail, Mailbox } from './query.ts';

interface Shown {
  readonly mailboxes: readonly Mailbox[];
  readonly waiting: readonly LoggedMail[];
  readonly log: readonly LoggedMail[];
}

/** Shows the mailboxes and how they fare, what needs a look, how to add one, and what came and went. */
export function mailView(visit: Visit, { mailboxes, waiting, log }: Shown): Html {
  const words = visit.texts.mail;
  const isEmpty = mailboxes.length === 0;
  return html`<header class="head">
      <h1>${words.title}</h1>
      <p class="dim">${words.hint}</p>
    </header>
    ${section('mailboxes', words.mailboxes, '', isEmpty ? html`<p class="note">${words.none}</p>` : mailboxTable(visit, mailboxes))}
    ${waiting.length === 0 ? '' : section('waiting', words.waiting, words.waitingHint, mailTable(visit, waiting, true))}
    ${section('add', words.add, words.addHint, addForm(visit))}
    ${section('log', words.log, words.logHint, log.length === 0 ? html`<p class="dim">${words.nothing}</p>` : mailTable(visit, log, false))}`;
}

function mailboxTable(visit: Visit, mailboxes: readonly Mailbox[]): Html {
  const words = visit.texts.mail;
  return table(
    [words.address, words.name, words.read, words.sent, words.actions],
    mailboxes.map((mailbox) => [
      mailbox.address,
      mailbox.name,
      readState(visit, mailbox),
      sentState(visit, mailbox),
      actionsOf(visit, mailbox),
    ]),
  );
}

function readState({ texts, format }: Visit, { state, read }: Mailbox): Html | string {
  const words = texts.mail;
  if (state === 'paused') return words.paused;
  if (read.problem !== null) return html`<span class="bad">${words.notRead(read.problem)}</span>`;
  return read.good_at === null ? words.notYet : words.readAt(format.moment(read.good_at));
}

function sentState({ texts, format }: Visit, { sent }: Mailbox): Html | string {
  const words = texts.mail;
  if (sent.problem !== null) return html`<span class="bad">${words.notSent(sent.problem)}</span>`;
  return sent.good_at === null ? words.nothingSent : words.sentAt(format.moment(sent.good_at));
}

function actionsOf(visit: Visit, { id, address, state }: Mailbox): Html {
  const words = visit.texts.mail;
  const button = (action: string, text: string) => small(visit, { action, text, fields: { id, address } });
  return html`<div class="actions">
    ${
      state === 'paused'
        ? button('resume', words.resume)
        : html`${button('read', words.readNow)} ${button('test', words.test)} ${button('pause', words.pause)}`
    }
    ${askFirst(visit, {
      page: 'mail',
      action: 'remove',
      open: words.remove,
      consequence: words.removeConsequence(address),
      confirm: words.remove,
      hidden: { id, address },
    })}
  </div>`;
}

interface Small {
  readonly action: string;
  readonly text: string;
  readonly fields: Readonly<Record<string, string | number>>;
}

function small(visit: Visit, { action, text, fields }: Small): Html {
  return actionForm(
    visit,
    { page: 'mail', action, classes: 'inline' },
    html`${hiddenFields(fields)}<button type="submit" class="second">${text}</button>`,
  );
}

function mailTable(visit: Visit, mails: readonly LoggedMail[], isWaiting: boolean): Html {
  const { texts, format } = visit;
  const words = texts.mail;
  const head = [words.when, words.who, words.subject, words.takenFor, words.found];
  return table(
    isWaiting ? [...head, words.actions] : head,
    mails.map((mail) => [
      format.moment(mail.at),
      mail.direction === 'in' ? words.from(mail.address) : words.to(mail.address),
      mail.subject,
      kindOf(visit, mail),
      [mail.says, mail.checks].filter((text) => text !== null).join('; '),
      ...(isWaiting ? [lookedAt(visit, mail)] : []),
    ]),
  );
}

function kindOf(visit: Visit, { kind, conversation_id }: LoggedMail): Html | string {
  const name = visit.texts.mail.kinds[kind] ?? kind;
  if (conversation_id === null) return name;
  return html`<a href="${visit.address('inbox', { conversation: conversation_id })}">${name}</a>`;
}

function lookedAt(visit: Visit, { entry, kind }: LoggedMail): Html {
  const words = visit.texts.mail;
  return html`<div class="actions">
    ${kind === 'held' ? small(visit, { action: 'take', text: words.take, fields: { entry } }) : ''}
    ${small(visit, { action: 'settle', text: words.settle, fields: { entry } })}
  </div>`;
}
