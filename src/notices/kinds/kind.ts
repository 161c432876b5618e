import { z } from 'zod';
import type { ServiceAnswer, ServiceRequest } from '../../outbound/callService.ts';
import type { Mail, MailFile } from '../../outbound/sendMail.ts';

/** An address that a person gives for a place; the way out judges it again at each call. */
export const webAddress = z.url({
  protocol: /^https?$/,
  error: 'must be a whole address such as https://rooms.example/hook',
});

/** What a place is told at once. */
export interface Told {
  /** The same in every attempt. */
  id: string;
  topic: string;
  title: string;
  text: string;
  link: string | null;
  isUrgent: boolean;
  /** For mail only. */
  files: readonly MailFile[];
}

/** The ways out of the service. */
export interface Means {
  /** Returns why an address is not called, for a sentence that begins with it; undefined: as far as it says, it is. */
  refusalOf(url: string): string | undefined;
  call(request: ServiceRequest): Promise<ServiceAnswer>;
  /** null: no mail server is set. */
  mail: ((mail: Mail) => Promise<{ sent: true } | { problem: string }>) | null;
}

export type Outcome = { sent: true } | { problem: string; retryAfterMs?: number | undefined };

/** A kind of places. */
export interface NoticeKind<Settings = unknown> {
  /** What a place of this kind needs to know; secrets among it. */
  readonly settings: z.ZodType<Settings>;
  /** The setting that holds the address to be called, if one does. */
  readonly addressIn?: keyof Settings & string;
  /** Says where it leads, without secrets. */
  shown(settings: Settings): string;
  tell(means: Means, settings: Settings, told: Told): Promise<Outcome>;
}

/** A kind as others see it, who do not know its settings. */
export interface DeclaredKind extends Omit<NoticeKind, 'addressIn'> {
  /** The address that is called, and the setting that holds it. */
  addressOf(settings: unknown): { field: string; url: string } | undefined;
}

/** Declares a kind; its settings are known inside only. */
export function noticeKind<Settings>(kind: NoticeKind<Settings>): DeclaredKind {
  const { addressIn } = kind;
  return {
    settings: kind.settings,
    addressOf: (settings) =>
      addressIn === undefined ? undefined : { field: addressIn, url: String((settings as Settings)[addressIn]) },
    shown: (settings) => kind.shown(settings as Settings),
    tell: (means, settings, told) => kind.tell(means, settings as Settings, told),
  };
}

/** The text with its first line and its link. */
export function wholeText({ title, text, link }: Told): string {
  return [title, ...(text === '' ? [] : ['', text]), ...(link === null ? [] : ['', link])].join('\n');
}

/** Judges an answer by its status. What the other side says is not repeated: it can hold a secret. */
export function outcomeOf(answer: ServiceAnswer, good: (text: string) => boolean = () => true): Outcome {
  if ('problem' in answer) return { problem: answer.problem };
  const { status, text, retryAfterMs } = answer;
  if (status >= 200 && status < 300 && good(text)) return { sent: true };
  return { problem: `it answers ${status}${meaningOf(status)}`, retryAfterMs };
}

const meanings: Readonly<Record<number, string>> = {
  401: ': its token is wrong',
  403: ': its token may not do that',
  404: ': there is no such address; is it still the right one?',
  410: ': the address is no longer in use',
  413: ': the text is too long',
  429: ': too many in a short time',
};

function meaningOf(status: number): string {
  return meanings[status] ?? '';
}

/** Cuts a text to the characters that a service takes. */
export function cutTo(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}
