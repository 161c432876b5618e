import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { packageRoot } from '../../src/kernel/program/packageRoot.ts';
import { type Received, startReceiver, type TestReceiver } from '../support/receiver.ts';
import { startTestService, type TestService, until } from '../support/service.ts';

const ROOT = packageRoot();
const PROGRAMS = join(ROOT, 'test', 'integrations', 'programs');
const TSC = join(ROOT, 'node_modules', '.bin', 'tsc');
const run = promisify(execFile);

/** How the program of a language runs with the SDK as its users install it: returns what it printed. */
const LANGUAGES: Readonly<Record<string, (asked: string, folder: string) => Promise<string>>> = {
  async typescript(asked, folder) {
    const { program } = await installed(folder);
    return (await run(process.execPath, [program, asked])).stdout;
  },
  async python(asked, folder) {
    const path = join(folder, 'site-packages');
    cpSync(join(ROOT, 'integrations', 'sdk', 'python', 'src'), path, { recursive: true });
    const env = { ...process.env, PYTHONPATH: path };
    return (await run('/usr/bin/python3', ['-W', 'error', join(PROGRAMS, 'python.py'), asked], { env })).stdout;
  },
};

/** Packs the TypeScript SDK, unpacks it where npm would, and compiles the program against its types. */
async function installed(folder: string): Promise<{ program: string }> {
  const source = join(folder, 'source');
  const kept = (file: string) => !/[/\\](?:dist|node_modules)$/.test(file);
  cpSync(join(ROOT, 'integrations', 'sdk', 'typescript'), source, { recursive: true, filter: kept });
  await run(process.execPath, [TSC, '-p', source]);
  const { stdout } = await run('npm', ['pack', '--silent', '--ignore-scripts'], { cwd: source });
  const home = join(folder, 'node_modules', 'stayd-sdk');
  mkdirSync(home, { recursive: true });
  await run('tar', ['-xzf', join(source, stdout.trim()), '--strip-components=1', '-C', home]);
  cpSync(join(PROGRAMS, 'typescript.ts'), join(folder, 'program.ts'));
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}\n');
  const how = ['--strict', '--exactOptionalPropertyTypes', '--target', 'es2023', '--module', 'nodenext'];
  const types = ['--types', 'node', '--typeRoots', join(ROOT, 'node_modules', '@types')];
  await run(process.execPath, [TSC, ...how, ...types, join(folder, 'program.ts')], { cwd: folder });
  return { program: join(folder, 'program.js') };
}

for (const [language, runProgram] of Object.entries(LANGUAGES)) {
  describe(`the SDK for ${language} and a running service`, () => {
    let service: TestService;
    let receiver: TestReceiver;
    let folder: string;
    let seen: any;
    let code: string;

    before(async () => {
      folder = mkdtempSync(join(tmpdir(), 'stayd-sdk-'));
      receiver = await startReceiver();
      service = await startTestService({ STAYD_OUTBOUND_ALLOW: receiver.host });
      const delivery = await delivered();
      const asked = { baseUrl: service.url, token: service.token, secret: service.secret, delivery };
      seen = JSON.parse(await runProgram(JSON.stringify(asked), folder));
    });
    after(async () => {
      await service.remove();
      await receiver.close();
      rmSync(folder, { recursive: true, force: true });
    });

    /** A real delivery of a booking, as it came. */
    async function delivered() {
      const events = ['reservation_created'];
      const { secret_token } = await service.v3('POST', '/webhooks', { url: receiver.url, events });
      const { property_id } = await service.v3('POST', '/properties', { name: 'Other house' });
      const nights = { check_in_date: '2027-05-05', check_out_date: '2027-05-08' };
      const amounts = { rate_amount: 300, commission_amount: 0, received_amount: 0 };
      const booking = { property_id, guest_name: 'A', currency: 'EUR', ...nights, ...amounts };
      ({ reservation_code: code } = await service.v3('POST', '/reservations', booking));
      await until(() => receiver.received.length > 0, 'the delivery');
      const { headers, body } = receiver.received[0] as Received;
      return { secret: secret_token, headers, body };
    }

    it('reads a list of several pages to its end, each row once', () => {
      const names = Array.from({ length: 105 }, (_, index) => `Tag ${index}`);
      assert.deepEqual(seen.tags, names.toSorted());
    });

    it('books, reads, changes and cancels', () => {
      assert.deepEqual(seen.booked, [{ guest_name: 'Zoë & Co', is_here: true }]);
      assert.equal(seen.note, 'späte Ankunft');
      assert.equal(seen.nothing, null);
    });

    it('throws each error_code as a class of its own, with operation and request id', () => {
      const [unknown, invalid, stranger, unreachable, impatient] = seen.failures;
      const told = { has_id: true };
      assert.deepEqual(unknown, { class: 'NotFoundError', code: 404, operation: 'getConversation', ...told });
      assert.deepEqual(invalid, { class: 'ValidationError', code: 422, operation: 'createReservation', ...told });
      assert.deepEqual(stranger, { class: 'UnauthorizedError', code: 401, operation: 'getAccount', ...told });
      assert.deepEqual(unreachable, { class: 'StaydConnectionError' });
      assert.deepEqual(impatient, { class: 'RateLimitedError', code: 429, operation: 'getAccount', ...told });
      assert.deepEqual(seen.is_typed, [true, true, true]);
    });

    it('waits as long as a limit says, and then repeats', () => assert.deepEqual(seen.limit_waits, [1_000]));

    it('repeats a creation whose answer was lost under the same key, so that it is made once', () => {
      assert.equal(seen.repeats, 1);
      assert.deepEqual(seen.groups, ['Made once']);
    });

    it('repeats no change whose answer was lost', () => {
      assert.deepEqual(seen.failures.at(-1), { class: 'StaydConnectionError' });
    });

    it('verifies a delivery by its signature, or by the secret in its header', () => {
      assert.equal(seen.event, code);
      assert.equal(seen.by_token, 'reservation_created');
    });

    it('refuses another body, another secret, an old signature, none, and an unset secret', () => {
      assert.deepEqual(seen.refused, [true, true, true, true, true, true]);
    });
  });
}
