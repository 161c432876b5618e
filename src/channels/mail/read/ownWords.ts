/** Lines of a mail that are looked at; a longer one is taken whole. */
const MOST_LINES = 5_000;
/** Lines over which programs break the sentence that introduces the earlier mail. */
const INTRODUCTION_LINES = 4;
const LONGEST_INTRODUCTION = 400;

/**
 * The word by which programs introduce an earlier mail, in the languages of most guests: "On … wrote:", "Am … schrieb …:",
 * "Le … a écrit :", "El … escribió:", and so on. A colon ends the sentence.
 */
const WROTE = [
  ' wrote',
  ' schrieb',
  ' a écrit',
  ' escribió',
  ' ha scritto',
  ' schreef',
  ' escreveu',
  ' skrev',
  ' napisał',
  ' napsal',
  ' kirjoitti',
  ' yazdı',
  ' написал',
  '写道',
  'のメール',
];
/** Words that begin it; else a date, or somebody's address does. */
const ON = ['on ', 'am ', 'le ', 'el ', 'il ', 'op ', 'em ', 'den ', 'dnia ', 'w dniu ', 'dne ', 'på '];
const WEEKDAY = /^(?:mon|tue|wed|thu|fri|sat|sun|mo|di|mi|do|fr|sa|so|lun|mar|пн|вт|ср|чт|пт|сб|вс)[.,]/u;
/** "-----Original Message-----" and what other languages make of it. */
const ORIGINAL =
  /^[\s>]*-{2,}\s*(?:Original Message|Original Appointment|Forwarded message|Ursprüngliche Nachricht|Weitergeleitete Nachricht|Message d['’]origine|Message original|Message transféré|Mensaje original|Mensaje reenviado|Messaggio originale|Oorspronkelijk bericht|Mensagem original|Ursprungligt meddelande|Oprindelig meddelelse|Wiadomość oryginalna)\s*-{2,}\s*$/iu;
/** The first lines of a copied head of a mail. */
const HEAD_FROM = /^[\s>*]*\*?(?:From|Von|De|Da|Van|Från|Fra|Od|От|发件人|差出人)\s?:\*?\s*\S/iu;
const HEAD_MORE =
  /^[\s>*]*\*?(?:Sent|Gesendet|Envoyé|Enviado(?: el)?|Inviato|Verzonden|Enviada(?: em)?|Skickat|Sendt|Wysłano|Date|Datum|Fecha|Data|To|An|À|Para|Aan|Til|Till|Do|Subject|Betreff|Objet|Asunto|Oggetto|Onderwerp|Assunto|Ämne|Emne|Temat|发送时间|收件人|主题)\s?:/iu;
/** A line of Outlook above a copied head. */
const RULE = /^\s*[_─—]{10,}\s*$/u;
/** What telephones and programs write under mails. */
const SENT_BY =
  /^\s*(?:Sent from my |Sent from Outlook|Sent from Mail for|Sent via |Get Outlook for|Von meinem .{1,40} gesendet|Gesendet von |Envoyé de(?:puis)? |Enviado desde |Inviato da|Verstuurd vanaf |Enviado do |Skickat från |Отправлено с )/iu;

/**
 * Returns what the writer of a mail has written: without the earlier mail below it, without quoted lines and without the
 * signature. A mail in which nothing else is left is returned as it is.
 */
export function ownWords(text: string): string {
  const lines = text.replaceAll('\r\n', '\n').replaceAll('\r', '\n').split('\n');
  if (lines.length > MOST_LINES) return tidy(lines);
  const kept: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (isSignature(line) && !quotesFollow(lines, at)) break;
    if (ORIGINAL.test(line.slice(0, LONGEST_INTRODUCTION)) || isHead(lines, at)) break;
    const introduction = introductionAt(lines, at);
    if (introduction > 0) {
      const rest = afterQuote(lines, at + introduction);
      // Without quote signs nobody can tell where the earlier mail ends.
      if (rest === undefined) break;
      at = rest - 1;
      continue;
    }
    if (!isQuoted(line)) kept.push(line);
  }
  while (kept.length > 0 && (isBlank(kept.at(-1)) || isSentBy(kept.at(-1) ?? ''))) kept.pop();
  const own = tidy(kept);
  return own === '' ? tidy(lines) : own;
}

function isQuoted(line: string): boolean {
  return /^\s{0,3}>/.test(line);
}

function isBlank(line: string | undefined): boolean {
  return line?.trim() === '';
}

function isSentBy(line: string): boolean {
  return SENT_BY.test(line.slice(0, LONGEST_INTRODUCTION));
}

function isSignature(line: string): boolean {
  return line === '-- ' || line === '--';
}

/** Some answer below the quote, and quote a signature line unmarked; then it ends nothing. */
function quotesFollow(lines: readonly string[], at: number): boolean {
  return lines.slice(at + 1, at + 3).some(isQuoted);
}

/** Returns true for the first line of a copied head: who wrote, and right below it when, to whom or about what. */
function isHead(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? '';
  const start = RULE.test(line) ? at + 1 : at;
  if (!HEAD_FROM.test((lines[start] ?? '').slice(0, LONGEST_INTRODUCTION))) return false;
  const below = lines.slice(start + 1, start + 5).filter((one) => HEAD_MORE.test(one.slice(0, LONGEST_INTRODUCTION)));
  return below.length >= 2;
}

/** Returns the number of lines of the sentence that begins here and introduces an earlier mail; 0: none does. */
function introductionAt(lines: readonly string[], at: number): number {
  if (!mayIntroduce(lines[at] ?? '')) return 0;
  let sentence = '';
  for (let count = 1; count <= INTRODUCTION_LINES; count++) {
    const line = lines[at + count - 1];
    if (line === undefined || isBlank(line)) return 0;
    sentence = `${sentence} ${line.trim()}`;
    if (sentence.length > LONGEST_INTRODUCTION) return 0;
    if (introduces(sentence)) return count;
  }
  return 0;
}

function mayIntroduce(line: string): boolean {
  const start = line.slice(0, LONGEST_INTRODUCTION).trimStart().toLowerCase();
  return ON.some((word) => start.startsWith(word)) || WEEKDAY.test(start) || /^\d/.test(start) || start.includes('<');
}

function introduces(sentence: string): boolean {
  const lower = sentence.trimEnd().toLowerCase();
  return (lower.endsWith(':') || lower.endsWith('：')) && WROTE.some((word) => lower.includes(word));
}

/** Returns the line after a quote that begins here, past blank lines; undefined if no quote signs begin it. */
function afterQuote(lines: readonly string[], from: number): number | undefined {
  let at = from;
  while (at < lines.length && isBlank(lines[at])) at++;
  if (at >= lines.length) return at;
  if (!isQuoted(lines[at] ?? '')) return undefined;
  while (at < lines.length && (isQuoted(lines[at] ?? '') || isBlank(lines[at]))) at++;
  return at;
}

function tidy(lines: readonly string[]): string {
  return (
    lines
      // Programs name pictures so that stand in the text.
      .map((line) => line.replaceAll(/\[cid:[^\]\s]{1,200}\]/g, '').trimEnd())
      .join('\n')
      .replaceAll(/\n{3,}/g, '\n\n')
      .trim()
  );
}
