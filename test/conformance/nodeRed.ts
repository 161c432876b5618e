import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../support/port.ts';
import { startTestService, type TestService } from '../support/service.ts';

/** The newest that runs on the oldest Node.js that stayd runs on. */
const PROGRAM = 'node-red@4.1.8';
const FLOW = fileURLToPath(new URL('../../docs/flows/node-red.json', import.meta.url));
const LIMIT_MS = 90_000;

/**
 * A real Node-RED, fetched into a folder of its own that goes afterwards, with the flow that the documentation gives
 * away: hears an endpoint, and nobody else.
 * @returns what has failed
 */
export async function nodeRed(say: (text: string) => void): Promise<string[]> {
  say(`\nNode-RED with the flow of docs/flows (${PROGRAM})`);
  const folder = mkdtempSync(join(tmpdir(), 'stayd-node-red-'));
  const port = await freePort();
  const service = await startTestService({ STAYD_OUTBOUND_ALLOW: `127.0.0.1:${port}` });
  const failed: string[] = [];
  const check = (what: string, isRight: boolean, seen: unknown = '') => {
    say(`${isRight ? 'ok  ' : 'FAIL'}  ${what}${isRight ? '' : `: ${JSON.stringify(seen)}`}`);
    if (!isRight) failed.push(`Node-RED: ${what}`);
  };
  let end = () => {};
  try {
    writeFileSync(join(folder, 'package.json'), '{"private": true}\n');
    const install = spawnSync('npm', ['install', PROGRAM, '--no-audit', '--no-fund'], {
      cwd: folder,
      encoding: 'utf8',
    });
    if (install.status !== 0) return [`Node-RED could not be fetched: ${install.stderr.trim()}`];
    const url = `http://127.0.0.1:${port}/stayd`;
    const wanted = { url, kinds: ['reservation.created'] };
    const { endpoint_id, secret } = await service.portal('POST', '/portal/endpoints', wanted);
    const running = startNodeRed(folder, port, secret);
    end = running.end;
    await until(async () => (await answerOf(url, {}, '{}')) === 401, 'Node-RED to answer');
    check('what is not signed is answered 401', true);
    const forged = { 'webhook-id': 'msg_x', 'webhook-timestamp': String(Math.floor(Date.now() / 1_000)) };
    const status = await answerOf(url, { ...forged, 'webhook-signature': 'v1,Zm9yZ2Vk' }, '{"type":"ping"}');
    check('a forged signature is answered 401', status === 401, status);
    await service.portal('POST', `/portal/endpoints/${endpoint_id}/ping`, {});
    const code = await bookOne(service);
    const messages = async () => (await service.portal('GET', `/portal/endpoints/${endpoint_id}/messages`)).messages;
    await until(
      async () => (await messages()).filter((one: any) => one.state === 'delivered').length === 2,
      'two deliveries',
    );
    check('a ping and a booking are heard and answered 204', true);
    await until(() => Promise.resolve(running.output().includes(code)), 'the booking in the flow');
    check('the flow has the whole booking', /type: 'reservation.created'/.test(running.output()), running.output());
    const [message] = (await messages()).filter((one: any) => one.kind === 'reservation.created');
    const times = () => running.output().split("type: 'reservation.created'").length - 1;
    await service.portal('POST', `/portal/endpoints/${endpoint_id}/replay`, { message_id: message.message_id });
    await until(async () => (await messages()).every((one: any) => one.state === 'delivered'), 'the replay');
    await wait(500);
    check('a replay is answered, and goes no further', times() === 1, times());
  } catch (error) {
    failed.push(`Node-RED: ${error instanceof Error ? error.message : String(error)}`);
    say(`FAIL  ${failed.at(-1)}`);
  } finally {
    end();
    await service.remove();
    rmSync(folder, { recursive: true, force: true });
  }
  return failed;
}

function startNodeRed(folder: string, port: number, secret: string): { output(): string; end(): void } {
  copyFileSync(FLOW, join(folder, 'flows.json'));
  const settings = {
    uiPort: port,
    uiHost: '127.0.0.1',
    flowFile: 'flows.json',
    httpAdminRoot: false,
    credentialSecret: false,
    telemetry: { enabled: false },
  };
  writeFileSync(join(folder, 'settings.js'), `module.exports = ${JSON.stringify(settings)};\n`);
  const program = join(folder, 'node_modules', 'node-red', 'red.js');
  const child = spawn(process.execPath, [program, '--userDir', folder], {
    cwd: folder,
    env: { ...process.env, STAYD_SECRET: secret },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  return { output: () => output, end: () => void child.kill() };
}

/** @returns the status; undefined when nobody is there */
async function answerOf(url: string, headers: Record<string, string>, body: string): Promise<number | undefined> {
  try {
    const json = { 'content-type': 'application/json' };
    return (await fetch(url, { method: 'POST', headers: { ...json, ...headers }, body })).status;
  } catch {
    return undefined;
  }
}

async function bookOne(service: TestService): Promise<string> {
  const { property_id } = await service.v3('POST', '/properties', { name: 'Mill' });
  const { reservation_code } = await service.v3('POST', '/reservations', {
    property_id,
    check_in_date: '2027-03-05',
    check_out_date: '2027-03-08',
    guest_name: 'Ada',
    rate_amount: 300,
    commission_amount: 0,
    received_amount: 0,
  });
  return reservation_code;
}

async function until(condition: () => Promise<boolean>, what: string): Promise<void> {
  for (const end = Date.now() + LIMIT_MS; !(await condition()); await wait(100)) {
    if (Date.now() > end) throw new Error(`waited in vain for ${what}`);
  }
}
