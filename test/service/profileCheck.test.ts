import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { checkProfile } from '../../src/compose/profiles/profileCheck.ts';
import { readProfile } from '../../src/compose/profiles/profiles.ts';
import { loadConfig } from '../../src/config.ts';
import { operations } from '../../src/contract/index.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { runEach, runOne } from '../cli/support/runMany.ts';
import { freePort } from '../support/port.ts';
import { newToken, startTestService, type TestService } from '../support/service.ts';

const config = loadConfig({});

/** A house on a marketplace with a booking, a conversation and an entry of the ledger. */
async function furnish(core: TestService): Promise<void> {
  const act = (path: string, body: object) => core.portal('POST', `/portal/sandbox/${path}`, body);
  for (const channel_type of ['marketplace_a', 'marketplace_b']) {
    const { property_id } = await core.v3('POST', '/properties', { title: `House on ${channel_type}` });
    const { channel_account_id } = await act('channel_accounts', { channel_type });
    const { listing_id } = await act('listings', { channel_account_id, property_id, base_price: 100 });
    const today = new Date(systemClock.now() + 20 * 86_400_000).toISOString().slice(0, 10);
    const end = new Date(systemClock.now() + 23 * 86_400_000).toISOString().slice(0, 10);
    const stay = { channel_type, listing_id, check_in_date: today, check_out_date: end };
    await act('bookings', { ...stay, guest: { name: 'Ada Guest' } });
  }
  await core.v3('POST', '/knowledge_bases', { title: 'Parking', contents: [{ text: 'Behind the house.' }] });
}

function check(url: string, token: string, profile?: string) {
  const signal = new AbortController().signal;
  return checkProfile({ config, url, token, profile, clock: systemClock, signal });
}

describe('stayd profile check', () => {
  let ours: TestService;
  let theirs: TestService;
  let folder: string;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'stayd-check-'));
    ours = await startTestService({ STAYD_ROLES: 'core' });
    theirs = await startTestService({ STAYD_ROLES: 'core', STAYD_CORE_DIALECT: 'hostex' });
    await furnish(ours);
    await furnish(theirs);
  });
  after(async () => {
    await ours.remove();
    await theirs.remove();
    rmSync(folder, { recursive: true });
  });

  it('finds that a core of ours is described: every answer fits, and nothing was changed', async () => {
    const token = await newToken(ours, 'read');
    const before = await ours.rows('select count(*) as n from core.audit');
    const report = await check(`${ours.url}/v3`, token);
    assert.equal(report.profile, 'described');
    const odd = report.operations.filter(({ state }) => state !== 'fits');
    assert.deepEqual(
      odd.map(({ operation, state, says }) => [operation, state, says]),
      [],
    );
    assert.equal(report.operations.length, Object.values(operations).filter(({ scope }) => scope === 'read').length);
    assert.equal(report.needs_proposal, false);
    assert.deepEqual(await ours.rows('select count(*) as n from core.audit'), before);
  });

  it('finds the public dialect, and names what it does not have', async () => {
    const report = await check(theirs.url, await newToken(theirs, 'read'));
    assert.equal(report.profile, 'hostex');
    const found = Object.fromEntries(report.operations.map((one) => [one.operation, one]));
    assert.equal(found['getAccount']?.state, 'refused');
    assert.deepEqual(found['listProperties']?.missing, ['properties.status']);
    assert.ok(found['listReservations']?.missing.includes('reservations.stay_status'));
    assert.deepEqual(
      report.operations.flatMap((one) => [...one.unknown_fields, ...one.unknown_words]),
      [],
    );
  });

  it('proposes what a profile lacks, and the proposal fits better', async () => {
    const poor = join(folder, 'poor.yaml');
    writeFileSync(poor, 'token_header: Hostex-Access-Token\nwords: { channel: { marketplace_b: vrbo } }\n');
    const token = await newToken(theirs, 'read');
    const report = await check(theirs.url, token, poor);
    assert.equal(report.needs_proposal, true);
    const better = join(folder, 'better.yaml');
    writeFileSync(better, report.proposal);
    const { words, fields, token_header } = readProfile(better);
    assert.equal(token_header, 'hostex-access-token');
    assert.deepEqual(words.channel, { marketplace_a: ['airbnb'], marketplace_b: ['vrbo'] });
    assert.equal(fields['property']?.['name']?.name, 'title');
    assert.equal(fields['reservation']?.['note']?.name, 'remarks');
    const again = await check(theirs.url, token, better);
    assert.equal(again.needs_proposal, false);
  });

  it('says in a sentence who does not answer, or does not take the token', async () => {
    const web: Server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Welcome</html>');
    });
    await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
    const page = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
    const nobody = `http://127.0.0.1:${await freePort()}`;
    const rows: [string[], 1 | 2, RegExp][] = [
      [[page, '--token', 'x'], 1, /does not answer like such a service: an answer that is no JSON/],
      [[nobody, '--token', 'x'], 1, /does not answer like such a service: .*ECONNREFUSED/],
      [[ours.url, '--token', 'wrong'], 1, /does not take this token: Invalid access token/],
      [[`${ours.url}/api`, '--token', ours.token], 1, /does not answer like such a service|has no properties there/],
      [['rentals.example', '--token', 'x'], 2, /is no address/],
      [[ours.url], 2, /required option '--token <token>'/],
      [[ours.url, '--token', ours.token, '--profile', 'hostx'], 2, /there is no profile "hostx".*\n.*hostex/],
    ];
    try {
      const outcomes = await runEach(rows.map(([args]) => ({ args: ['profile', 'check', ...args], environment: {} })));
      for (const [index, { code, stderr }] of outcomes.entries()) {
        const [args, expected, says] = rows[index] ?? [[], 1, /never/];
        assert.match(stderr, says, args.join(' '));
        assert.equal(code, expected, args.join(' '));
        assert.doesNotMatch(stderr, /\n {4}at /);
      }
    } finally {
      web.closeAllConnections();
      web.close();
    }
  });

  it('as a command it tells each operation, and writes the proposal', async () => {
    const out = join(folder, 'proposal.yaml');
    const token = await newToken(theirs, 'read');
    const { code, stdout } = await runOne(['profile', 'check', theirs.url, '--token', token, '--out', out], {});
    assert.equal(code, 0);
    assert.match(stdout, /understood by the profile hostex/);
    assert.match(stdout, /^listProperties: differs, 2 rows$/m);
    assert.match(stdout, /^getAccount: REFUSED: 404/m);
    assert.equal(readProfile(out).token_header, 'hostex-access-token');
    assert.match(readFileSync(out, 'utf8'), /^# getAccount is refused there: 404$/m);
    const list = await runOne(['profile', 'list'], {});
    assert.match(list.stdout, /hostex +stayd +After its document, not seen live\./);
  });
});
