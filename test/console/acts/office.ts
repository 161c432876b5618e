import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { call, until } from '../../support/service.ts';
import type { Act, Stage } from './stage.ts';

const takesMoney: Act = {
  task: '6: money comes in, and a deposit goes back',
  needsCore: true,
  async play({ world, page, actor, round, stays, reservation, mirrored }) {
    const { code } = await stays(`Paying ${round}`, 0, 3);
    await actor.begin();
    await actor.click(`text=Paying ${round}`);
    await actor.click('text=Enter a payment');
    await page.fill('#pay-amount', '150.50');
    await actor.click('form[action*="stay/pay"] button');
    await page.waitForSelector('.said');
    assert.equal((await reservation(code)).payment.received_amount, 150.5);
    const { code: left } = await stays(`Gone ${round}`, -9, -6);
    for (const event of ['required', 'paid']) {
      await world.service.portal('POST', `/portal/stays/${left}/deposit`, { event, amount: 80 });
    }
    await mirrored('stays', `stay_code = '${left}' and deposit_status = 'paid'`);
    await actor.begin();
    await actor.click('nav >> text=Money');
    await page.waitForURL(/money/);
    const balance = page.locator('section[aria-labelledby=balances] tr', { hasText: `Paying ${round}` });
    assert.match(await balance.innerText(), /€149\.50/);
    const deposit = page.locator('section[aria-labelledby=deposits] tr', { hasText: `Gone ${round}` });
    await actor.click(deposit.locator('summary'));
    await actor.click(deposit.locator('details[open] button'));
    assert.match(await page.innerText('.said'), new RegExp(`Deposit of Gone ${round}: €80\\.00 given back`));
    await mirrored('stays', `stay_code = '${left}' and deposit_status = 'refunded'`);
  },
};

const stateOf = async ({ world, month }: Stage): Promise<string | undefined> => {
  const { periods }: { periods: { period: string; state: string }[] } = await world.service.portal(
    'GET',
    '/portal/exports',
  );
  return periods.find(({ period }) => period === month)?.state;
};

const closes: Act = {
  task: '7: a month is checked and closed softly, and then for good',
  async play(stage) {
    const { page, actor, month } = stage;
    await actor.begin();
    await actor.click('nav >> text=Money');
    await page.selectOption('#month', month);
    await actor.click('button:text-is("Check the month")');
    await actor.click('button:text-is("Close softly")');
    assert.match(await page.innerText('.said'), new RegExp(`Closed softly: .*${month}`));
    assert.equal(await stateOf(stage), 'soft');
    await actor.begin();
    await actor.click('nav >> text=Money');
    await actor.click('summary:text-is("Close for good")');
    assert.match(await page.innerText('details[open] form[action*="money/close"]'), /never change afterwards/);
    assert.equal(await stateOf(stage), 'soft');
    await actor.click('details[open] form[action*="money/close"] button');
    assert.match(await page.innerText('.said'), new RegExp(`Closed for good: .*${month}`));
    assert.equal(await stateOf(stage), 'locked');
  },
};

const writesFiles: Act = {
  task: '7: the files of a month are written and fetched',
  async play({ world, page, actor, month }) {
    await actor.begin();
    await actor.click('nav >> text=Money');
    await page.selectOption('#job', 'jsonl');
    await page.selectOption('#run-period', month);
    await actor.click('form[action*="money/run"] button');
    await page.waitForURL(/run=/);
    const run = String(new URL(page.url()).searchParams.get('run'));
    const file = page.locator('a[download]', { hasText: '.manifest.json' });
    const name = await file.innerText();
    const [download] = await Promise.all([page.waitForEvent('download'), actor.click(file)]);
    const kept = await world.service.portal('GET', `/portal/exports/runs/${run}/files?name=${name}`);
    assert.equal(readFileSync(await download.path(), 'base64'), kept.file.base64);
  },
};

const looksAtHealth: Act = {
  task: '8: Health says if everything is in step',
  async play({ world, actor, shows }) {
    await actor.begin();
    await actor.click('nav >> text=Health');
    await shows(/Everything is in step/);
    assert.deepEqual(await world.service.rows('select state, reason from mirror.connections'), [
      { state: 'active', reason: null },
    ]);
  },
};

const keepsRules: Act = {
  task: '9: a rule is tried on the past, paused, and edited',
  async play({ world, page, actor, round, mirrored }) {
    const rule = `ladder-${round}`;
    const link = page.locator('section[aria-labelledby=rules]').getByRole('link', { name: rule, exact: true });
    await actor.begin();
    await actor.click('nav >> text=Rules');
    await actor.click(link);
    await actor.click('text=Try it');
    assert.match(await page.innerText('section[aria-labelledby=dry]'), /action|left out/);
    await actor.begin();
    await actor.click('nav >> text=Rules');
    await actor.click(link);
    await actor.click('text=Pause this rule');
    assert.match(await page.innerText('.said'), new RegExp(`${rule} is paused`));
    await mirrored('automation_rules', `rule = '${rule}' and paused_at is not null`);
    await actor.begin();
    await actor.click('nav >> text=Rules');
    await actor.click('section[aria-labelledby=rules] >> text=Edit rules.yaml');
    const text = (await page.inputValue('#text')).replaceAll(/called \w+/g, `called Mill${round}`);
    await page.fill('#text', text);
    await actor.click('form button >> text=Save');
    assert.match(await page.innerText('.said'), /rules\.yaml was saved and is in use/);
    assert.equal(readFileSync(join(world.folder, 'rules.yaml'), 'utf8'), text);
    await mirrored('automation_rules', `rule = '${rule}' and version > 1`);
  },
};

const readsAReport: Act = {
  task: '10: a report is read, and taken away as a file',
  async play({ world, page, actor }) {
    await actor.begin();
    await actor.click('nav >> text=Reports');
    await actor.click('text=Revenue by night');
    // The page begins before its numbers are there.
    await page.waitForLoadState();
    assert.ok((await page.locator('svg[role=img] rect').count()) > 0);
    const [file] = await Promise.all([page.waitForEvent('download'), actor.click('text=CSV file')]);
    const [head, ...lines] = readFileSync(await file.path(), 'utf8')
      .trim()
      .split('\n');
    assert.equal(head, 'span,period,item,currency,stays,amount');
    const year = world.today.slice(0, 4);
    const report = `/mirror/reports/revenue-by-stay-date?from=${year}&to=${year}`;
    const { rows } = await world.service.portal('GET', report);
    assert.equal(lines.length, rows.length);
  },
};

const imports: Act = {
  task: '11: a file of another system is imported after a look at it',
  needsCore: true,
  async play({ world, page, actor, round, main, mirrored }) {
    const text = `Confirmation,Guest,Listing,Arrival,Departure,Guests,Total,Currency,Booked,Status
A${round},Ann Example,Lake House ${round},2027-03-01,2027-03-05,2,"400.00",EUR,2027-01-05,confirmed
`;
    await actor.begin();
    await actor.click('nav >> text=Setup');
    // By its name a file is known again.
    await page.setInputFiles('#file', { name: `export-${round}.csv`, mimeType: 'text/csv', buffer: Buffer.from(text) });
    await actor.click('text=Look at it');
    assert.match(await main(), new RegExp(`Is this right\\?[\\s\\S]*Lake House ${round}`));
    await actor.click('button:text-is("Import")');
    await until(async () => {
      await page.goto(world.at('setup'));
      return new RegExp(`The file is imported[\\s\\S]*export-${round}`).test(await main());
    }, 'the import to end');
    await mirrored('properties', `name = 'Lake House ${round}'`);
    await mirrored('stays', "check_in_date = '2027-03-01' and rate_minor = 40000");
  },
};

const makesAToken: Act = {
  task: '11: a token is made, and opens the API',
  needsCore: true,
  async play({ world, page, actor, round }) {
    await actor.begin();
    await actor.click('nav >> text=Setup');
    await actor.click('main a[href*="/access"]');
    await page.fill('#name', `Spreadsheet ${round}`);
    await actor.click('text=Make a token');
    const token = await page.innerText('code.secret');
    const answer = await call(world.service, 'GET', '/v3/accounts/me', { token });
    assert.equal(answer.json.error_code, 200);
  },
};

const searches: Act = {
  task: '12: the search box finds a guest, a code, a property, an address, a telephone and the words of a message',
  async play({ page, actor, round, stays, writes }) {
    const email = `hopper.${round}@navy.example`;
    const mobile = `+1 202555${round.padStart(4, '0')}`;
    const { house, code } = await stays(`Hopper ${round}`, 20, 22, { email, mobile });
    await writes(`Writing ${round}`, `May we bring our dachshund${round}?`);
    for (const [question, section, found] of [
      [`hopper ${round}`, 'guests', `Hopper ${round}`],
      [code, 'codes', `Hopper ${round}`],
      [house, 'properties', house],
      [email.slice(0, -4), 'guests', `Hopper ${round}`],
      [mobile.slice(3), 'guests', `Hopper ${round}`],
      [`dachshund${round}`, 'messages', `dachshund${round}`],
    ] as const) {
      await actor.begin();
      await page.fill('.bar input[type=search]', question);
      await page.press('.bar input[type=search]', 'Enter');
      await page.waitForURL(/search\?/);
      assert.ok((await page.innerText(`section[aria-labelledby=${section}]`)).includes(found), question);
    }
    await actor.click('main section a >> nth=0');
  },
};

/** Tasks 6 to 12: what is done in the office, some of it once a month. */
export const OFFICE: readonly Act[] = [
  takesMoney,
  closes,
  writesFiles,
  looksAtHealth,
  keepsRules,
  readsAReport,
  imports,
  makesAToken,
  searches,
];
