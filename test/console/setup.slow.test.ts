import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../support/browser.ts';
import { type ConsoleWorld, startConsoleWorld } from '../support/consoleWorld.ts';
import { PAYLOADS } from '../support/hostileTexts.ts';
import { obstaclesOn } from '../support/pages.ts';
import { startTestService } from '../support/service.ts';

/** As another system exports it. */
const EXPORT = `Confirmation,Guest,Listing,Arrival,Departure,Guests,Total,Currency,Booked,Status
A1,Ann Example,Lake House,2027-03-01,2027-03-05,2,"400.00",EUR,2027-01-05,confirmed
A2,Ben Example,Lake House,2027-03-08,2027-03-10,3,"210.50",EUR,2027-01-07,confirmed
A3,Cleo Example,Barn,2027-03-02,2027-03-03,1,"90.00",EUR,2027-01-09,cancelled
`;

describeInBrowser('the first quarter of an hour', () => {
  let world: ConsoleWorld;
  let owner: Page;
  const main = () => owner.innerText('main');
  const upload = (name: string, text: string) =>
    owner.setInputFiles('#file', { name, mimeType: 'text/csv', buffer: Buffer.from(text) });

  before(async () => {
    world = await startConsoleWorld();
    owner = await world.person('owner');
  });
  after(() => world.remove());

  /** Looks again until the work that was begun has ended. */
  async function ended(): Promise<string> {
    for (let tries = 0; tries < 100; tries += 1) {
      await owner.goto(world.at('setup'));
      const text = await main();
      if (!/Look again/.test(text)) return text;
    }
    throw new Error('the work does not end');
  }

  it('zone and currency are set while there is no reservation', async () => {
    await owner.goto(world.at('setup'));
    await owner.fill('#time_zone', 'Europe/Paris');
    await owner.fill('#currency', 'chf');
    await owner.click('text=Save');
    assert.match(await owner.innerText('.said'), /The account is changed/);
    const { time_zone, currency } = await world.service.v3('GET', '/accounts/me');
    assert.deepEqual([time_zone, currency], ['Europe/Paris', 'CHF']);
    await owner.fill('#time_zone', 'Middle/Earth');
    await owner.click('text=Save');
    assert.match(await owner.innerText('[role=alert]'), /time_zone: must be an IANA time zone/);
    assert.equal(await owner.inputValue('#time_zone'), 'Middle/Earth');
    await owner.fill('#time_zone', 'Europe/Berlin');
    await owner.fill('#currency', 'EUR');
    await owner.click('text=Save');
  });

  it('a file of another system is looked at, confirmed and imported; a file without reservations says why not', async () => {
    await owner.goto(world.at('setup'));
    await owner.click('text=Import a file');
    await upload('notes.csv', 'shopping\nmilk\nbread\n');
    await owner.click('text=Look at it');
    assert.match(await owner.innerText('[role=alert]'), /Nothing was changed/);
    await upload('export.csv', EXPORT);
    await owner.click('text=Look at it');
    assert.match(await main(), /Is this right\?[\s\S]*Ann Example|Lake House/);
    await owner.click('summary');
    const mapping = await owner.inputValue('#mapping');
    await owner.fill('#mapping', mapping.replace('Arrival', 'Nowhere'));
    await owner.click('button:text-is("Import")');
    const failed = await ended();
    if (/ended early/.test(failed)) assert.match(failed, /Nowhere/);
    else assert.match(failed, /Nothing was changed/);
    await owner.goto(world.at('import'));
    await upload('export.csv', EXPORT);
    await owner.click('text=Look at it');
    await owner.click('button:text-is("Import")');
    const done = await ended();
    assert.match(done, /The file is imported[\s\S]*Reservations stored\s+3/);
    await world.service.settled();
    await owner.goto(world.at('calendar?from=2027-03-01'));
    assert.match(await main(), /Ann Example/);
    // Once more: everything is known.
    await owner.goto(world.at('import'));
    await upload('export.csv', EXPORT);
    await owner.click('text=Look at it');
    await owner.click('button:text-is("Import")');
    assert.match(await ended(), /Reservations stored\s+0[\s\S]*Known from before\s+3/);
    // What has changed meanwhile is not taken over, and not passed over in silence.
    await owner.goto(world.at('import'));
    await upload('export.csv', EXPORT.replace('210.50', '230.50'));
    await owner.click('text=Look at it');
    await owner.click('button:text-is("Import")');
    assert.match(await ended(), /Known from before\s+2[\s\S]*Changed since, not stored\s+1/);
  });

  it('zone and currency stay as they are from then on', async () => {
    await owner.goto(world.at('setup'));
    await owner.fill('#currency', 'USD');
    await owner.click('text=Save');
    assert.match(await owner.innerText('[role=alert]'), /currency: stays as it is, since there are reservations/);
  });

  it('a property gets its address, place and times', async () => {
    await owner.goto(world.at('properties'));
    await owner.fill('#name', 'Mill');
    await owner.click('button:text-is("Add")');
    assert.match(await owner.innerText('.said'), /Mill is added/);
    await owner.fill('#address', '1 River Road');
    await owner.fill('#latitude', '152');
    await owner.fill('#check_in_time', '16:00');
    await owner.click('text=Save');
    assert.match(await owner.innerText('[role=alert]'), /latitude: must be degrees between -90 and 90/);
    assert.equal(await owner.inputValue('#address'), '1 River Road');
    await owner.fill('#latitude', '52.5');
    await owner.click('text=Save');
    assert.match(await owner.innerText('.said'), /Mill is changed/);
    assert.match(await main(), /Mill\s+1 River Road\s+16:00/);
    const { properties } = await world.service.v3('GET', '/properties?limit=100');
    const mill = properties.find(({ name }: { name: string }) => name === 'Mill');
    assert.deepEqual([mill.latitude, mill.check_in_time, mill.check_out_time], ['52.5', '16:00', null]);
  });

  it('a token is shown once, works, and is refused once it is revoked', async () => {
    await owner.goto(world.at('access'));
    await owner.fill('#name', 'Spreadsheet');
    await owner.click('text=Make a token');
    const token = await owner.innerText('code.secret');
    const asked = () => fetch(`${world.service.url}/v3/properties`, { headers: { 'service-access-token': token } });
    assert.equal(((await (await asked()).json()) as { error_code: number }).error_code, 200);
    await owner.click('text=I have copied it');
    assert.ok(!(await owner.content()).includes(token));
    const row = owner.locator('tr', { hasText: 'Spreadsheet' });
    await row.locator('summary').click();
    assert.match(await row.innerText(), /Every program that uses Spreadsheet/);
    await row.locator('button.danger').click();
    assert.equal(((await (await asked()).json()) as { error_code: number }).error_code, 401);
  });

  it('guests and marketplaces are played by one click', async () => {
    await owner.goto(world.at('setup'));
    await owner.fill('#properties', '2');
    await owner.fill('#days', '20');
    await owner.click('button:text-is("Play")');
    assert.match(await ended(), /It is played[\s\S]*Accepted/);
  });

  it('another deployment answers by its address and token; a wrong one is refused in words', async () => {
    const other = await startTestService();
    try {
      await owner.goto(world.at('connect'));
      await owner.fill('#url', other.url);
      await owner.fill('#token', 'wrong');
      await owner.click('text=Call it');
      assert.match(await owner.innerText('[role=alert]'), /token/i);
      assert.equal(await owner.inputValue('#url'), other.url);
      await owner.fill('#token', other.token);
      await owner.click('text=Call it');
      assert.match(await main(), /demo[\s\S]*may write[\s\S]*Mirror it/);
    } finally {
      await other.remove();
    }
  });

  it('every page of Setup is free of obstacles, and hostile names run nothing', async () => {
    const names = PAYLOADS.filter((text) => text.trim().length > 0 && text.length < 90 && !text.includes('\u0000'));
    for (const name of names.slice(0, 20)) await world.service.v3('POST', '/properties', { name });
    await world.service.settled();
    const found: string[] = [];
    for (const path of ['setup', 'import', 'connect', 'properties', 'access']) {
      await owner.goto(world.at(path));
      found.push(...(await obstaclesOn(owner, path)));
    }
    assert.deepEqual(found, []);
    assert.deepEqual(world.pages.problems, []);
  });
});
