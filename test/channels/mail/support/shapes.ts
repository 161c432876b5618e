import type { MailKind } from '../../../../src/channels/mail/rows.ts';
import { jpegWith } from '../../../support/pictures.ts';

/** A mail in a form that programs and people send, with what it must be taken for. */
export interface Shape {
  readonly name: string;
  readonly kind: MailKind;
  /** The text of its message, if it becomes one. */
  readonly text?: string;
  readonly pictures?: number;
  /** Builds it; `n` makes the sender and the Message-ID its own. */
  build(n: number): string | Buffer;
}

type Heads = Readonly<Record<string, string>>;

const DATE = 'Mon, 05 Jan 2026 10:00:00 +0100';

/** Builds a mail of heads and a body; heads that are given as undefined are left out. */
export function mailOf(heads: Heads, body: string): string {
  const lines = Object.entries(heads).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${lines.join('')}\r\n${body.replaceAll(/\r?\n/g, '\r\n')}\r\n`;
}

const guest = (n: number, more: Heads = {}): Heads => ({
  'Return-Path': `<guest${n}@guest.example>`,
  From: `Guest ${n} <guest${n}@guest.example>`,
  To: 'Sea View <reception@rooms.example>',
  Subject: `Question ${n}`,
  'Message-ID': `<q${n}.${Date.now()}@guest.example>`,
  Date: DATE,
  ...more,
});
const base64 = (text: string | Buffer) => Buffer.from(text).toString('base64').replaceAll(/.{76}/g, '$&\n');
const multipart = (kind: string, parts: readonly [Heads, string][]) => {
  const bodies = parts.map(([heads, body]) => `--cut\n${mailOf(heads, body)}`);
  return [
    { 'MIME-Version': '1.0', 'Content-Type': `multipart/${kind}; boundary="cut"` },
    `${bodies.join('')}--cut--`,
  ] as const;
};
const plain = (text: string): [Heads, string] => [{ 'Content-Type': 'text/plain; charset=utf-8' }, text];

const message = (name: string, text: string, build: (n: number) => string | Buffer, pictures = 0): Shape => ({
  name,
  kind: 'message',
  text,
  pictures,
  build,
});
const robot = (name: string, kind: MailKind, build: (n: number) => string | Buffer): Shape => ({ name, kind, build });

const own = 'Yes please, at noon.';
const quoted = (below: string) => (n: number) =>
  mailOf(guest(n, { 'Content-Type': 'text/plain; charset=utf-8' }), `${own}\n\n${below}`);
const dsn = (n: number, about: string) => {
  const [heads, body] = multipart('report; report-type=delivery-status', [
    plain('Your mail was not delivered.'),
    [
      { 'Content-Type': 'message/delivery-status' },
      'Reporting-MTA: dns; mx.example\n\nFinal-Recipient: rfc822; a@b.example\nAction: failed\nStatus: 5.1.1',
    ],
    [{ 'Content-Type': 'message/rfc822' }, `Message-ID: ${about}\nSubject: x\n\ngone`],
  ]);
  return mailOf(
    { ...guest(n), 'Return-Path': '<>', From: 'MAILER-DAEMON@mx.example', Subject: 'Undelivered', ...heads },
    body,
  );
};

/** Builds a report that a mail was not delivered. */
export const bounceOf = dsn;

export const shapes: readonly Shape[] = [
  message('plain', 'Is there a cot?', (n) => mailOf(guest(n), 'Is there a cot?')),
  message('HTML alone', 'Is there\na cot?', (n) =>
    mailOf(
      guest(n, { 'Content-Type': 'text/html; charset=utf-8' }),
      '<html><style>p{}</style><p>Is there<br>a cot?</p></html>',
    ),
  ),
  message('both, text first', 'the text', (n) => {
    const [heads, body] = multipart('alternative', [
      plain('the text'),
      [{ 'Content-Type': 'text/html' }, '<p>the HTML</p>'],
    ]);
    return mailOf(guest(n, heads), body);
  }),
  message(
    'quoted in English',
    own,
    quoted('On Mon, Jan 5, 2026 at 10:00 AM Sea View <reception@rooms.example> wrote:\n> Shall we?\n> Best'),
  ),
  message(
    'quoted in German',
    own,
    quoted('Am 05.01.2026 um 10:00 schrieb Sea View <reception@rooms.example>:\n> Sollen wir?'),
  ),
  message(
    'quoted in French',
    own,
    quoted('Le lun. 5 janv. 2026 à 10:00, Sea View <reception@rooms.example> a écrit :\n> On y va ?'),
  ),
  message(
    'quoted in Spanish',
    own,
    quoted('El lun, 5 ene 2026 a las 10:00, Sea View (<reception@rooms.example>) escribió:\n\n> ¿Vamos?'),
  ),
  message(
    'quoted in Italian, on two lines',
    own,
    quoted('Il giorno lun 5 gen 2026 alle ore 10:00 Sea View\n<reception@rooms.example> ha scritto:\n> Andiamo?'),
  ),
  message(
    'Outlook, a copied head',
    own,
    quoted(
      '________________________________\nFrom: Sea View <reception@rooms.example>\nSent: Monday, January 5, 2026 10:00\nTo: Guest\nSubject: Re: x\n\nShall we?',
    ),
  ),
  message(
    'Outlook in German',
    own,
    quoted(
      'Von: Sea View <reception@rooms.example>\nGesendet: Montag, 5. Januar 2026 10:00\nAn: Gast\nBetreff: AW: x\n\nSollen wir?',
    ),
  ),
  message('Outlook, an old one', own, quoted('-----Ursprüngliche Nachricht-----\nVon: Sea View\n\nSollen wir?')),
  message(
    'a telephone of Apple',
    own,
    quoted(
      'Sent from my iPhone\n\n> On 5 Jan 2026, at 10:00, Sea View <reception@rooms.example> wrote:\n> \n> Shall we?',
    ),
  ),
  message('Gmail in HTML', own, (n) =>
    mailOf(
      guest(n, { 'Content-Type': 'text/html; charset=utf-8' }),
      `<div dir="ltr">${own}</div><br><div class="gmail_quote"><div class="gmail_attr">On Mon, Jan 5, 2026 at 10:00 AM Sea View &lt;reception@rooms.example&gt; wrote:<br></div><blockquote>Shall we?</blockquote></div>`,
    ),
  ),
  message('a signature', own, quoted('-- \nGuest Ltd\n+1 555 0100')),
  message('answers between quotes', 'Noon.\n\nTwo.', (n) => mailOf(guest(n), '> When?\nNoon.\n\n> How many?\nTwo.')),
  message('base64', 'Grüße aus Köln', (n) =>
    mailOf(
      guest(n, { 'Content-Type': 'text/plain; charset=utf-8', 'Content-Transfer-Encoding': 'base64' }),
      base64('Grüße aus Köln'),
    ),
  ),
  message('quoted-printable', 'Grüße', (n) =>
    mailOf(
      guest(n, { 'Content-Type': 'text/plain; charset=utf-8', 'Content-Transfer-Encoding': 'quoted-printable' }),
      'Gr=C3=BC=C3=9Fe',
    ),
  ),
  message('Latin-1', 'Grüße', (n) =>
    Buffer.from(
      mailOf(
        guest(n, { 'Content-Type': 'text/plain; charset=iso-8859-1', 'Content-Transfer-Encoding': '8bit' }),
        'Grüße',
      ),
      'latin1',
    ),
  ),
  message('an unknown charset', 'Hello there', (n) =>
    mailOf(guest(n, { 'Content-Type': 'text/plain; charset=x-nonsense-77' }), 'Hello there'),
  ),
  message(
    'a picture',
    'Look',
    (n) => {
      const [heads, body] = multipart('mixed', [
        plain('Look'),
        [
          {
            'Content-Type': 'application/octet-stream; name="leak.jpg"',
            'Content-Disposition': 'attachment; filename="leak.jpg"',
            'Content-Transfer-Encoding': 'base64',
          },
          base64(jpegWith()),
        ],
      ]);
      return mailOf(guest(n, heads), body);
    },
    1,
  ),
  message('a document', 'My papers\n\n[📎 passport.pdf (1 kB)]', (n) => {
    const [heads, body] = multipart('mixed', [
      plain('My papers'),
      [
        {
          'Content-Type': 'application/pdf',
          'Content-Disposition': 'attachment; filename="passport.pdf"',
          'Content-Transfer-Encoding': 'base64',
        },
        base64('%PDF-1.4 x'),
      ],
    ]);
    return mailOf(guest(n, heads), body);
  }),
  message('a page that calls itself a picture', 'Look\n\n[📎 cat.jpg (1 kB)]', (n) => {
    const [heads, body] = multipart('mixed', [
      plain('Look'),
      [
        {
          'Content-Type': 'image/jpeg',
          'Content-Disposition': 'attachment; filename="cat.jpg"',
          'Content-Transfer-Encoding': 'base64',
        },
        base64('<script>alert(1)</script>'),
      ],
    ]);
    return mailOf(guest(n, heads), body);
  }),
  message('an inline picture', 'See:', (n) => {
    const [heads, body] = multipart('related', [
      [{ 'Content-Type': 'text/html' }, '<p>See:</p><img src="cid:one">'],
      [
        {
          'Content-Type': 'image/jpeg',
          'Content-ID': '<one>',
          'Content-Disposition': 'inline',
          'Content-Transfer-Encoding': 'base64',
        },
        base64(jpegWith()),
      ],
    ]);
    return mailOf(guest(n, heads), body);
  }),
  message('an invitation', 'Come at noon\n\n[📎 invite.ics (1 kB)]', (n) => {
    const [heads, body] = multipart('mixed', [
      plain('Come at noon'),
      [
        { 'Content-Type': 'text/calendar; method=REQUEST', 'Content-Disposition': 'attachment; filename="invite.ics"' },
        'BEGIN:VCALENDAR\nEND:VCALENDAR',
      ],
    ]);
    return mailOf(guest(n, heads), body);
  }),
  message('nothing but a subject', 'Arriving at 9', (n) => mailOf(guest(n, { Subject: 'Arriving at 9' }), '')),
  message('no Message-ID', 'Hello 7', (n) => {
    const { 'Message-ID': _, ...heads } = guest(n);
    return mailOf({ ...heads, 'X-Number': String(n) }, 'Hello 7');
  }),
  message('no date', 'Hello', (n) => {
    const { Date: _, ...heads } = guest(n);
    return mailOf(heads, 'Hello');
  }),
  message('a date to come', 'Hello', (n) => mailOf(guest(n, { Date: 'Fri, 01 Jan 2099 00:00:00 +0000' }), 'Hello')),
  message('a huge subject', 'Hello', (n) => mailOf(guest(n, { Subject: `${'Very '.repeat(20_000)}long` }), 'Hello')),
  message('a subject that breaks heads', 'Hello', (n) =>
    mailOf(guest(n, { Subject: '=?utf-8?B?SGkNCkJjYzogZXZpbEBldmlsLmV4YW1wbGU=?=' }), 'Hello'),
  ),
  message('a name that breaks heads', 'Hello', (n) =>
    mailOf(guest(n, { From: `=?utf-8?Q?A=0D=0ABcc:_evil@evil.example?= <guest${n}@guest.example>` }), 'Hello'),
  ),
  message('deep nesting', 'top', (n) => {
    let inner = 'Content-Type: text/plain\n\ntop\n';
    for (let level = 0; level < 60; level++)
      inner = `Content-Type: multipart/mixed; boundary="b${level}"\n\n--b${level}\n${inner}\n--b${level}--\n`;
    const [head = '', ...rest] = inner.split('\n\n');
    return mailOf(guest(n, { 'Content-Type': head.replace('Content-Type: ', '') }), rest.join('\n\n'));
  }),
  robot('nesting without an end', 'unreadable', (n) => {
    const parts = Array.from({ length: 1_200 }, () => plain('x'));
    const [heads, body] = multipart('mixed', parts);
    return mailOf(guest(n, heads), body);
  }),
  robot('away: auto-replied', 'automatic', (n) =>
    mailOf(guest(n, { 'Auto-Submitted': 'auto-replied; owner-email="a@b.example"' }), 'I am away'),
  ),
  robot('away: X-Autoreply', 'automatic', (n) => mailOf(guest(n, { 'X-Autoreply': 'yes' }), 'I am away')),
  robot('away: Precedence', 'automatic', (n) => mailOf(guest(n, { Precedence: 'auto_reply' }), 'I am away')),
  robot('away: by its subject', 'automatic', (n) =>
    mailOf(guest(n, { Subject: 'Automatische Antwort: Re: Zimmer' }), 'Ich bin nicht da'),
  ),
  robot('no return path', 'automatic', (n) => mailOf(guest(n, { 'Return-Path': '<>' }), 'Hello')),
  robot('no-reply', 'automatic', (n) => mailOf(guest(n, { From: `Shop <no-reply@shop${n}.example>` }), 'Your order')),
  robot('a receipt', 'receipt', (n) => {
    const [heads, body] = multipart('report; report-type=disposition-notification', [
      plain('It was opened.'),
      [
        { 'Content-Type': 'message/disposition-notification' },
        'Disposition: manual-action/MDN-sent-manually; displayed',
      ],
    ]);
    return mailOf(guest(n, heads), body);
  }),
  robot('a report of delivery', 'bounce', (n) => dsn(n, '<unknown@elsewhere.example>')),
  robot('a bounce without a report', 'bounce', (n) =>
    mailOf(
      guest(n, { From: `Mail Delivery System <mailer-daemon@mx${n}.example>`, 'Return-Path': '<>' }),
      'undeliverable',
    ),
  ),
  robot('a mailing list', 'list', (n) => mailOf(guest(n, { 'List-Id': '<hosts.lists.example>' }), 'Dear all')),
  robot('a newsletter', 'list', (n) => mailOf(guest(n, { Precedence: 'bulk' }), 'Buy')),
  robot('from ourselves', 'own', (n) => mailOf(guest(n, { From: 'Sea View <Reception@rooms.example>' }), 'copy')),
  robot('no sender', 'unreadable', (n) => {
    const { From: _, ...heads } = guest(n);
    return mailOf(heads, 'Hello');
  }),
];
