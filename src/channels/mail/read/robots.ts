import type { MailKind } from '../rows.ts';

/** The heads of a mail that say who or what wrote it. */
export interface MailHeads {
  /** Returns the values of a head, the topmost first, unfolded. */
  all(name: string): readonly string[];
  /** In lower case; `report` is the kind of a report. */
  readonly contentType: { readonly value: string; readonly report: string };
  readonly from: string | undefined;
  readonly subject: string;
}

/** A mail that no person has written to us, with the reason for people. */
export interface Robot {
  readonly kind: Extract<MailKind, 'automatic' | 'receipt' | 'list' | 'bounce'>;
  readonly says: string;
}

/** Senders that are programs, by the part of the address before the @. */
const BOUNCING = /^(?:mailer-daemon|postmaster|mail-daemon|mailerdaemon)(?:[+-].*)?$/;
const SILENT = /^(?:no-?_?reply|do-?_?not-?_?reply|noreply-.*|bounces?)(?:[+-].*)?$/;
/** Beginnings of subjects that programs give to the answers of people who are away. */
const AWAY =
  /^(?:automatic reply|auto(?:matic)?[- ]?reply|autoreply|out of (?:the )?office|automatische antwort|abwesenheitsnotiz|abwesend|réponse automatique|absence du bureau|respuesta automática|risposta automatica|automatisch antwoord|resposta automática|autosvar|automatiskt svar)\b/iu;
const BULK: ReadonlySet<string> = new Set(['bulk', 'list', 'junk', 'auto_reply', 'auto-reply']);

/** Returns what kind of program wrote a mail; undefined for a mail of a person. A program is never answered. */
export function robotBehind(heads: MailHeads): Robot | undefined {
  const { contentType, from = '', subject } = heads;
  const local = from.slice(0, from.lastIndexOf('@'));
  const { value, report } = contentType;
  if (value === 'multipart/report' && report === 'disposition-notification')
    return { kind: 'receipt', says: 'a receipt: the mail was opened' };
  if (value === 'multipart/report') return { kind: 'bounce', says: 'a report of a mail server' };
  if (BOUNCING.test(local)) return { kind: 'bounce', says: `from ${local}` };
  if (heads.all('x-failed-recipients').length > 0) return { kind: 'bounce', says: 'it names who was not reached' };
  return listed(heads) ?? automatic(heads, { local, subject });
}

function listed(heads: MailHeads): Robot | undefined {
  const head = ['list-id', 'list-unsubscribe', 'list-post'].find((name) => heads.all(name).length > 0);
  if (head !== undefined) return { kind: 'list', says: `of a list: it has ${head}` };
  const precedence = heads.all('precedence').map((value) => value.trim().toLowerCase());
  const bulk = precedence.find((value) => BULK.has(value));
  if (bulk === undefined) return undefined;
  return { kind: bulk.startsWith('auto') ? 'automatic' : 'list', says: `Precedence: ${bulk}` };
}

function automatic(heads: MailHeads, { local, subject }: { local: string; subject: string }): Robot | undefined {
  const submitted = heads.all('auto-submitted').map((value) => (value.split(';', 1)[0] ?? '').trim().toLowerCase());
  const word = submitted.find((value) => value !== '' && value !== 'no');
  if (word !== undefined) return { kind: 'automatic', says: `Auto-Submitted: ${word.slice(0, 40)}` };
  const replied = ['x-autoreply', 'x-autorespond', 'x-autoreply-from', 'x-mail-autoreply'].find((name) =>
    heads.all(name).some((value) => value.trim().toLowerCase() !== 'no'),
  );
  if (replied !== undefined) return { kind: 'automatic', says: `it has ${replied}` };
  if (heads.all('return-path').some((value) => value.trim() === '<>')) {
    return { kind: 'automatic', says: 'its Return-Path is empty' };
  }
  if (SILENT.test(local)) return { kind: 'automatic', says: `from ${local}, which reads no answers` };
  return AWAY.test(subject) ? { kind: 'automatic', says: 'its subject is that of an automatic reply' } : undefined;
}
