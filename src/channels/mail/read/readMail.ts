import type { Attachment, HeaderLines, ParsedMail, SimpleParserOptions } from 'mailparser';
import { MESSAGE_LENGTH } from '../../../contract/conversations.ts';
import { MOST_PIXELS, type Picture, readPicture } from '../../../core/pictures/picture.ts';
import { oneLine } from '../../../kernel/oneLine.ts';
import { type SenderChecks, senderChecks } from './checks.ts';
import { ownWords } from './ownWords.ts';
import { contentKey, messageIds, messageKey, plainAddress } from './plain.ts';
import { type MailHeads, type Robot, robotBehind } from './robots.ts';

/** Bytes of the largest mail that is read whole. */
export const LARGEST_MAIL = 10 * 1_024 * 1_024;
/** Bytes that are read of a larger one: its heads, and mostly its text. */
export const READ_OF_LARGER = 256 * 1_024;
/** Characters of HTML that are turned into text. */
const LONGEST_HTML = 500_000;
/** Parts of a mail; more are an attack. */
const MOST_PARTS = 200;
/** Pictures of one mail that are kept, and the attachments that are named. */
const MOST_PICTURES = 10;
const MOST_NAMED = 20;
/** Message-IDs of earlier mails that are looked for. */
const MOST_REFERENCES = 30;
const LONGEST_NAME = 80;
const LONGEST_HEAD = 8_000;
const LONGEST_SUBJECT = 200;
/** A picture of fewer pixels on a side is part of a signature or counts who reads. */
const LEAST_SIDE = 64;

/** A mail as a channel needs it. Names and subjects are on one line, addresses in lower case. */
export interface ReadMail {
  /** undefined if it has none. */
  readonly messageId: string | undefined;
  /** Digest by which it is recognised. */
  readonly key: string;
  readonly from: { readonly name: string; readonly address: string } | undefined;
  readonly replyTo: string | undefined;
  /** Addresses to which it was sent. */
  readonly recipients: readonly string[];
  readonly subject: string;
  /** Milliseconds since the epoch. */
  readonly date: number | undefined;
  /** The writer's own words. */
  readonly text: string;
  readonly pictures: readonly (Pick<Picture, 'contentType' | 'bytes'> & { readonly name: string })[];
  /** Attachments that are not kept, for people. */
  readonly others: readonly string[];
  /** Message-IDs of the mails that it answers, the nearest last. */
  readonly references: readonly string[];
  readonly robot: Robot | undefined;
  readonly checks: SenderChecks | null;
  /** Message-IDs anywhere in a report of a mail server. */
  readonly reported: readonly string[];
}

/**
 * Takes a mail apart. Whatever cannot be read in it is left out; what is wrong with the whole is thrown.
 * @param signers names by which the mailbox's own server signs its checks of senders
 */
export async function readMail(raw: Buffer, signers: readonly string[]): Promise<ReadMail> {
  const mail = await parse(raw, {
    skipImageLinks: true,
    skipTextToHtml: true,
    skipTextLinks: true,
    keepCidLinks: true,
    keepDeliveryStatus: true,
    ignoreEmbedded: true,
    checksumAlgo: false,
    maxHtmlLengthToParse: LONGEST_HTML,
    maxHeadSize: READ_OF_LARGER,
    maxChildNodes: MOST_PARTS,
  });
  const all = (name: string) => valuesOf(mail.headerLines, name);
  const [messageId] = messageIds(mail.messageId ?? '', 1);
  const sender = mail.from?.value.flatMap((one) => [one, ...(one.group ?? [])]).find(({ address }) => address);
  const address = plainAddress(sender?.address);
  const subject = oneLine(mail.subject ?? '', LONGEST_SUBJECT);
  const robot = robotBehind({ all, contentType: contentTypeOf(all('content-type')[0] ?? ''), from: address, subject });
  const { pictures, others } = attachmentsOf(mail.attachments);
  return {
    messageId,
    key: messageId === undefined ? contentKey(raw) : messageKey(messageId),
    from: address === undefined ? undefined : { name: oneLine(sender?.name ?? '', LONGEST_NAME), address },
    replyTo: plainAddress(mail.replyTo?.value[0]?.address),
    recipients: ['to', 'cc', 'delivered-to', 'x-original-to', 'envelope-to'].flatMap((name) =>
      all(name).flatMap(addressesIn),
    ),
    subject,
    date: all('date').length > 0 && mail.date ? numberOf(mail.date) : undefined,
    text: ownWords(await textOf(mail))
      .slice(0, MESSAGE_LENGTH)
      .toWellFormed(),
    pictures,
    others,
    references: messageIds(`${all('references').join(' ')} ${all('in-reply-to').join(' ')}`, MOST_REFERENCES),
    robot,
    checks: senderChecks(all('authentication-results')[0], signers),
    reported: robot?.kind === 'bounce' ? reportedIn(raw, mail) : [],
  };
}

function valuesOf(lines: HeaderLines, name: string): string[] {
  return lines
    .filter(({ key }) => key === name)
    .map(({ line }) =>
      line
        .slice(line.indexOf(':') + 1)
        .replaceAll(/\r?\n[ \t]/g, ' ')
        .trim(),
    );
}

function contentTypeOf(head: string): MailHeads['contentType'] {
  const report = /\breport-type="?([a-z-]{1,40})/i.exec(head)?.[1] ?? '';
  return { value: (head.split(';', 1)[0] ?? '').trim().toLowerCase(), report: report.toLowerCase() };
}

function addressesIn(value: string): string[] {
  const words = value.slice(0, LONGEST_HEAD).split(/[\s<>(),;:"]/);
  return words.flatMap((word) => plainAddress(word) ?? []);
}

function numberOf(date: Date): number | undefined {
  const ms = date.getTime();
  return Number.isNaN(ms) ? undefined : ms;
}

/** Returns the text of a mail; of HTML too long to turn into text nothing. */
async function textOf({ text = '', html }: ParsedMail): Promise<string> {
  // Every sign but line breaks and tabs that steers something is left out.
  return (text === '' && html ? await textOfHtml(html) : text)
    .slice(0, 2 * LONGEST_HTML)
    .replaceAll(/[^\P{Cc}\n\r\t]|[\u202A-\u202E\u2066-\u2069\u200B\uFEFF]/gu, '');
}

/** Imported late, because many have no mailbox. */
const parse = async (source: Buffer, options: SimpleParserOptions): Promise<ParsedMail> => {
  const parser = await import('./parser.ts');
  return parser.simpleParser(source, options);
};

/** The parser makes a text of HTML that stands alone, and none of HTML among other parts. */
async function textOfHtml(html: string): Promise<string> {
  const alone = `Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n${html}`;
  const { text = '' } = await parse(Buffer.from(alone.slice(0, LONGEST_HTML)), {
    skipTextToHtml: true,
    skipTextLinks: true,
    maxHtmlLengthToParse: LONGEST_HTML,
  });
  return text;
}

function attachmentsOf(attachments: readonly Attachment[]): Pick<ReadMail, 'pictures' | 'others'> {
  const pictures: ReadMail['pictures'][number][] = [];
  const others: string[] = [];
  attachments.forEach(({ filename, content, contentType, related, size }, index) => {
    const picture = pictures.length < MOST_PICTURES ? pictureIn(content) : undefined;
    const fallback = picture ? `picture ${index + 1}` : contentType;
    const name = oneLine(filename ?? fallback, LONGEST_NAME);
    if (picture) {
      const isOrnament = related === true && Math.min(picture.width, picture.height) < LEAST_SIDE;
      if (!isOrnament) pictures.push({ name, bytes: picture.bytes, contentType: picture.contentType });
    } else if (related !== true) others.push(`${name} (${sizeOf(size)})`);
  });
  const more = others.length - MOST_NAMED;
  return { pictures, others: more > 0 ? [...others.slice(0, MOST_NAMED), `${more} more`] : others };
}

/** Recognises a picture by its content, whatever the mail calls it. */
function pictureIn(content: Buffer): Picture | undefined {
  try {
    const picture = readPicture(content);
    return picture && picture.width * picture.height <= MOST_PIXELS ? picture : undefined;
  } catch {
    return undefined;
  }
}

function sizeOf(bytes: number): string {
  return bytes < 1_024 * 1_024 ? `${Math.ceil(bytes / 1_024)} kB` : `${(bytes / (1_024 * 1_024)).toFixed(1)} MB`;
}

/** Returns the Message-IDs that a report names, in its own text and in the copy of the mail that it is about. */
function reportedIn(raw: Buffer, { attachments }: ParsedMail): string[] {
  const texts = [raw, ...attachments.map(({ content }) => content)].map((bytes) =>
    bytes.subarray(0, READ_OF_LARGER).toString('latin1'),
  );
  return [...new Set(texts.flatMap((text) => messageIds(text, MOST_REFERENCES)))];
}
