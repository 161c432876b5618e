/** What a page takes for granted. */
export interface Setting {
  /** Commands before its blocks. */
  before?: string;
  /** Blocks that hold one of these texts run on a service of their own, after the first block of the page. */
  apart?: readonly string[];
  /** Commands before a block that holds this text. */
  beforeBlock?: Readonly<Record<string, string>>;
  /** Answers that are right here though a reader is told of others, each with the reason. */
  expected?: readonly (readonly [answer: RegExp, because: string])[];
}

const TOKEN = 'TOKEN=$(./stayd token create --name test --scope write)';
const ask = (path: string, body: object) =>
  `curl -s http://127.0.0.1:8484${path} -H "Service-Access-Token: $TOKEN" -H 'content-type: application/json' -d '${JSON.stringify(body)}'`;
const property = (name: string) => ask('/v3/properties', { name });
const value = (command: string, field: string) => `$(${command} | node -p 'JSON.parse(fs.readFileSync(0)).${field}')`;
const stay = (property_id: number, month: string) =>
  ask('/v3/reservations', {
    property_id,
    check_in_date: `${month}-05`,
    check_out_date: `${month}-08`,
    guest_name: 'A. Guest',
    rate_amount: 300,
    commission_amount: 0,
    received_amount: 100,
  });
/** One dot. */
const PICTURE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const BOOKINGS = `printf '%s\\n' 'Arrival,Departure,Guest,Price,Unit' '2027-05-01,2027-05-04,Ada,300,Mill' > bookings.csv`;

/** What pages need before their commands, by page. */
export const SETTINGS: Readonly<Record<string, Setting>> = {
  'README.md': { before: BOOKINGS },
  'docs/imports.md': {
    before: BOOKINGS,
    expected: [[/hotel_bookings\.csv/, 'the public data set is not part of the tests']],
  },
  'docs/sharing.md': { before: [TOKEN, property('Sea View')].join('\n') },
  'docs/v3-additions.md': {
    before: TOKEN,
    expected: [
      [/reservations\?statuss=accepted .*"error_code":422/, 'the page shows how a misspelled filter is refused'],
    ],
  },
  'docs/reports.md': {
    before: [TOKEN, property('One'), property('Two'), stay(1, '2027-03'), './stayd reconcile'].join('\n'),
    expected: [[/owner-statement/, 'no house of the test has an owner']],
  },
  // It asks first where there are reservations.
  'docs/sandbox.md': { apart: ['./stayd simulate'] },
  'docs/direct.md': { before: [TOKEN, property('One')].join('\n') },
  'docs/mcp.md': {
    before: [TOKEN, property('One'), `CODE=${value(stay(1, '2027-03'), 'data.reservation_code')}`].join('\n'),
  },
  'docs/endpoints.md': {
    beforeBlock: { 'endpoints ping': `ENDPOINT=$(./stayd endpoints list --json | grep -o 'ep_[0-9A-Z]*' | head -1)` },
    expected: [[/endpoints ping/, 'nobody answers at the address of the example']],
  },
  'docs/dialects.md': { expected: [[/profile check/, 'nobody answers at the address of the example']] },
  'docs/channels.md': { before: [TOKEN, property('One')].join('\n') },
  'docs/portal.md': {
    // With a second account most calls must name one.
    apart: ['north'],
    before: [
      TOKEN,
      ...Array.from({ length: 12 }, (_, index) => property(`House ${index + 1}`)),
      `CODE=${value(stay(1, '2027-03'), 'data.reservation_code')}`,
      'STRIPE_KEY=sk_test_51abcdefghijklmnopqrstuv STRIPE_WEBHOOK_SECRET=whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    ].join('\n'),
    beforeBlock: {
      logo_base64: `echo ${PICTURE} | base64 -d > logo.png`,
      '/portal/imports/bookings': `${BOOKINGS}\n./stayd import bookings bookings.csv --guess > bookings.yaml`,
      $RUN: 'RUN=missing',
      $FINDING: 'ID=missing FINDING=missing PHOTO=missing',
      $PHOTO: 'PHOTO=missing',
    },
    expected: [
      [
        /^404 .*(there is no|not found|no longer available|has no such|has no entry|no event|no rate plan)/,
        'the example names one of several things, which this service does not have',
      ],
      [/^422 POST \S+\/portal\/(mailboxes|feeds) .*cannot be read/, 'no server answers at the name of the example'],
      [/^(404|422) \S+ \S+(exports\/(reopen|match|runs)|mirror\/statements)/, 'the month of the example has no books'],
    ],
  },
};
