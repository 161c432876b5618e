import type { Redactions } from './redactions.ts';
import { packed } from './plainWords.ts';
import { NO_ANSWER } from './prompt.ts';
import { isSameLanguage, languageOf } from './languages.ts';
import { type Topic, topicOf } from './topics.ts';

/** The fault of a rejected draft, in words for people that quote nothing of it. */
type Fault =
  | 'too long'
  | 'no plain text'
  | 'hidden signs'
  | 'a link'
  | 'an e-mail address'
  | 'a telephone number'
  | 'a number that is in no source'
  | 'a code'
  | 'another guest'
  | 'what was said in private'
  | 'another language'
  | 'words of its instructions'
  | `about ${string}`;

export interface DraftTerms {
  /** Sources and facts as the model received them, which a draft may repeat. Never text of a guest. */
  given: string;
  instructions: string;
  redactions: Redactions;
  /** Hosts that a draft may name in addition to those in the sources. */
  links: readonly string[];
  denied: readonly Topic[];
  deniedWords: readonly string[];
  language: string | undefined;
  longest: number;
}

/** Control characters except line ends, characters without width, changes of direction, and unassigned characters. */
const HIDDEN = /(?!\n)[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]|(?!\u{fe0f})\p{Variation_Selector}/u;
/** Digits other than 0 to 9, after normalisation. */
const OTHER_DIGITS = /(?![0-9])\p{Nd}/u;
const MARKUP = /<[a-z!/?]|\]\(|\]\[|```|^#{1,6} |&#|&[a-z]{2,8};/imu;
const LONGEST_WORD = 45;
const SCHEME = /[a-z0-9+.-]:\/\/|\b(?:www\d?|ftp)\.|\b(?:javascript|data|mailto|tel|sms|file|hxxps?):/iu;
/** A possible host: words joined by dots, the last of them letters. The lookahead comes first because it is cheaper. */
const HOST = /(?=[\p{L}\p{N}-])(?<![\p{L}\p{N}@.-])(?:[\p{L}\p{N}-]{1,63}\.){1,6}\p{L}{2,24}(?![\p{L}\p{N}-])/gu;
const DOTS =
  /\s?(?:\[\.?dot\.?\]|\(dot\)|\[\.\]|\(\.\)|\[punkt\]|\(punkt\)|\{\.\}| dot | punkt | point | punto )\s?/giu;
const AT = /\s?(?:\(at\)|\[at\]|\{at\})\s?/giu;
/** Characters that separate an address from its surroundings. */
const AROUND = /[\s<>(),;"]+/u;
/** Digits as people group them; they are counted later. */
const GROUPED = /\+?\d(?:[\d\s()/.-]{5,28})\d/gu;
const LEAST_PHONE = 7;
/** `2027-03-05`, `05.03.2027`, `15:00`. */
const DATE = /^(?:\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./]\d{2,4}|\d{1,2}:\d\d)\.?$/;
/** Whole numbers from 100 on; amounts with a currency are matched separately. */
const NUMBER = /\d{3,}/gu;
const THOUSANDS = /(?<=\d)[.,'’\u{202f}\u{a0}](?=\d{3}(?!\d))/gu;
const MONEY =
  /(?:[€$£¥]|\b(?:eur|usd|gbp|chf|euros?|dollars?))\s?(\d{1,9}(?:[.,]\d{1,2})?)|(\d{1,9}(?:[.,]\d{1,2})?)\s?(?:[€$£¥]|(?:eur|usd|gbp|chf|euros?|dollars?)\b)/giu;
/** Number of consecutive letters that count as a quotation of the instructions. */
const QUOTED_LETTERS = 40;

/**
 * Returns the reason why a draft must not be shown, or undefined. Code alone decides, regardless of the model's
 * instructions.
 */
export function faultOf(draft: string, terms: DraftTerms): Fault | undefined {
  const text = draft.normalize('NFKC');
  if (text.length > terms.longest) return 'too long';
  if (HIDDEN.test(draft) || OTHER_DIGITS.test(text)) return 'hidden signs';
  const confided = terms.redactions.foundIn(text);
  if (confided !== undefined) return confided;
  if (terms.redactions.isHiddenIn(text, terms.given)) return 'a code';
  if (MARKUP.test(draft) || MARKUP.test(text)) return 'no plain text';
  if (text.includes(NO_ANSWER) || quotes(text, terms.instructions)) return 'words of its instructions';
  const fault = contactFault(text, terms) ?? numberFault(text, terms);
  if (fault !== undefined) return fault;
  return text.split(/\s/).some((word) => word.length > LONGEST_WORD) ? 'hidden signs' : wordFault(text, terms);
}

/** Returns true if the model reports that its sources contain no answer. */
export function isNoAnswer(draft: string): boolean {
  return draft
    .trim()
    .replace(/^["'`*]{1,3}/, '')
    .startsWith(NO_ANSWER);
}

function contactFault(text: string, { given, links }: DraftTerms): Fault | undefined {
  const known = given.normalize('NFKC').toLowerCase();
  const words = text.replaceAll(AT, '@').replaceAll(DOTS, '.').split(AROUND);
  const isMail = (word: string) => word.slice(1, -1).includes('@');
  if (words.some((one) => isMail(one) && !known.includes(trimmed(one)))) return 'an e-mail address';
  const rest = words.filter((one) => !isMail(one)).join(' ');
  const knownHosts = new Set([...hostsIn(known), ...links.map((one) => one.toLowerCase())]);
  const hosts = hostsIn(rest);
  if (hosts.some((one) => !knownHosts.has(one))) return 'a link';
  // A full address must be known in full, or lead to an allowed host.
  const addresses = rest.split(/\s/).filter((word) => SCHEME.test(word));
  const isKnown = (one: string) => known.includes(trimmed(one)) || links.some((host) => leadsTo(one, host));
  return addresses.every(isKnown) ? phoneFault(text, known) : 'a link';
}

function leadsTo(address: string, host: string): boolean {
  const bare = trimmed(address);
  return URL.canParse(bare) && new URL(bare).protocol === 'https:' && new URL(bare).host === host.toLowerCase();
}

/** Returns a text in lower case without the quotation marks and punctuation of a sentence around it. */
function trimmed(text: string): string {
  return text
    .toLowerCase()
    .replace(/^["'(„“«]/, '')
    .replace(/["').,;:!?”“»]{1,3}$/, '');
}

function hostsIn(text: string): string[] {
  return (text.match(HOST) ?? []).map((one) => one.toLowerCase()).filter(isHost);
}

/** Returns true for a possible host. `z.B` and a missing blank after a full stop are none. */
function isHost(one: string): boolean {
  const parts = one.split('.');
  return parts.some((part) => part.length > 2) && (parts.at(-1) ?? '').length >= 2;
}

function phoneFault(text: string, known: string): Fault | undefined {
  const digits = digitsOf(known);
  const phones = (text.match(GROUPED) ?? []).filter(
    (one) => digitsOf(one).length >= LEAST_PHONE && !isKnownText(one, known),
  );
  return phones.some((one) => !digits.includes(digitsOf(one))) ? 'a telephone number' : undefined;
}

/** Returns true for known dates and times in a row, which look like a telephone number. */
function isKnownText(one: string, known: string): boolean {
  return one.split(/\s/).every((part) => part === '-' || part === '' || (DATE.test(part) && known.includes(part)));
}

const digitsOf = (text: string) => text.replaceAll(/\D/g, '');

function numberFault(text: string, { given }: DraftTerms): Fault | undefined {
  const known = numbersIn(given.normalize('NFKC'));
  return [...numbersIn(text)].some((one) => !known.has(one)) ? 'a number that is in no source' : undefined;
}

function numbersIn(text: string): Set<string> {
  const plain = text.replaceAll(THOUSANDS, '');
  const money = [...plain.matchAll(MONEY)].map(([, after, before]) => (after ?? before ?? '').replace(',', '.'));
  const amounts = money.map((one) => String(Number(one)));
  return new Set([...(plain.match(NUMBER) ?? []), ...amounts]);
}

function wordFault(text: string, { denied, deniedWords, language }: DraftTerms): Fault | undefined {
  const topic = topicOf(text, denied, deniedWords);
  if (topic !== undefined) return `about ${topic}`;
  const own = languageOf(text);
  const isOther = own !== undefined && language !== undefined && !isSameLanguage(own, language);
  return isOther ? 'another language' : undefined;
}

/** Returns true if a draft contains a long run of letters of the instructions. */
function quotes(text: string, instructions: string): boolean {
  const letters = packed(text);
  const known = packed(instructions);
  for (let at = 0; at + QUOTED_LETTERS <= letters.length; at += QUOTED_LETTERS / 2) {
    if (known.includes(letters.slice(at, at + QUOTED_LETTERS))) return true;
  }
  return false;
}
