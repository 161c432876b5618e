import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { packageRoot } from '../../src/kernel/program/packageRoot.ts';
import { readStream } from '../broker/support/natsReader.ts';
import { describeWithNats, type NatsServer, startNats } from '../broker/support/natsServer.ts';
import { type MailServer, PASSWORD as MAIL_PASSWORD, startMailServer } from '../channels/mail/support/mailServer.ts';
import { mailOf } from '../channels/mail/support/shapes.ts';
import { rowOf, sheetOf, textOf } from '../imports/support/workbook.ts';
import { call, dataDirectory, newToken, operationsOf, type Served, until } from '../support/service.ts';
import { run, type ServiceProcess, startProcess } from './support/process.ts';
import { type Storage, startStorage } from './support/storage.ts';

const BUILT = [process.execPath, join(packageRoot(), 'stayd')];
const PASSWORD = 'correct horse battery';
const OURS = 'reception@rooms.example';
const GUEST = 'ada@guest.example';

// What a start does without is imported when it is first needed, from files that only the build makes: tests of the
// sources cannot see that one of them lacks what its package offers.
describeWithNats('the program as it is built, where packages are imported late', () => {
  const dataDir = dataDirectory();
  let nats: NatsServer;
  let mail: MailServer;
  let storage: Storage;
  let environment: Record<string, string>;
  let service: ServiceProcess;
  let served: Pick<Served, 'v3' | 'portal' | 'settled'>;
  let cookie: string;
  before(async () => {
    [nats, mail, storage] = await Promise.all([startNats(), startMailServer(), startStorage('rooms')]);
    environment = {
      STAYD_DATA_DIR: dataDir,
      STAYD_NATS_SERVERS: `nats://127.0.0.1:${nats.port}`,
      STAYD_NATS_CREATE_STREAM: 'true',
      STAYD_OUTBOUND_ALLOW: mail.allow,
      STAYD_BACKUP_S3_ENDPOINT: storage.url,
      STAYD_BACKUP_S3_ACCESS_KEY: storage.accessKey,
      STAYD_BACKUP_S3_SECRET_KEY: storage.secretKey,
    };
    service = await startProcess(dataDir, environment, BUILT);
    served = operationsOf({ ...service, token: await newToken(service) });
  });
  after(async () => {
    await service.kill('SIGTERM');
    await Promise.all([nats.remove(), mail.stop(), storage.stop()]);
    rmSync(dataDir, { recursive: true, force: true });
  });

  const command = async (...args: string[]) => {
    const { code, stdout, stderr } = await run(args, environment, BUILT);
    assert.equal(code, 0, `${args.join(' ')}: ${stderr}`);
    return stdout;
  };
  const asPerson = (path: string, body: object) =>
    call(service, 'POST', path, { token: null, body, headers: { cookie, 'sec-fetch-site': 'same-origin' } });

  it('refuses passwords that everybody uses, and takes another', async () => {
    const secret = /([A-HJ-NP-Z2-9]{4}-){6}[A-HJ-NP-Z2-9]{4}$/m;
    await until(() => secret.test(service.stdout()), 'the secret of the first sign-in');
    const accept = (password: string) =>
      call(service, 'POST', '/portal/invites/accept', {
        token: null,
        body: { secret: secret.exec(service.stdout())?.[0], login: 'ada', password },
      });
    const common = await accept('password123');
    assert.deepEqual([common.http, common.json.error.field], [422, 'password']);
    const accepted = await accept(PASSWORD);
    assert.equal(accepted.http, 200, accepted.text);
    cookie = (accepted.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  });

  it('offers a passkey', async () => {
    const offer = { kind: 'passkey', origin: 'https://stay.example' };
    const { http, json, text } = await asPerson('/portal/second_factors/offer', offer);
    assert.equal(http, 200, text);
    assert.deepEqual(json.options.rp, { name: 'stayd', id: 'stay.example' });
  });

  it('reads a guest’s mail and answers it', async () => {
    const server = (port: number) => ({ host: '127.0.0.1', port, security: 'none' });
    const mailbox = await served.portal('POST', '/portal/mailboxes', {
      name: 'Sea View',
      address: OURS,
      imap: { ...server(mail.imapPort), password: MAIL_PASSWORD },
      smtp: server(mail.smtpPort),
    });
    mail.drop(OURS, mailOf({ From: GUEST, 'Message-ID': '<one@guest.example>' }, 'Is there a cot?'));
    await served.portal('POST', `/portal/mailboxes/${mailbox.id}/read`);
    const { conversations } = await served.v3('GET', '/conversations?offset=0&limit=10');
    const { id } = conversations.find((one: { guest: { email: string } }) => one.guest.email === GUEST);
    const { messages } = await served.v3('GET', `/conversations/${id}?limit=10`);
    assert.match(JSON.stringify(messages), /Is there a cot\?/);
    await served.v3('POST', `/conversations/${id}`, { message: 'There is.' });
    await until(() => mail.sent.length > 0, 'the answer to leave');
    assert.deepEqual(mail.sent[0]?.to, [GUEST]);
    assert.match(mail.sent[0]?.raw ?? '', /There is\./);
  });

  it('imports a workbook, and publishes it to the broker', async () => {
    const file = join(dataDir, 'bookings.xlsx');
    const columns = ['Reference', 'Check-in', 'Check-out', 'Guest', 'Property', 'Price'];
    const booking = ['A-1', '2027-05-01', '2027-05-04', 'Ada Lovelace', 'Sea View', '300.00'];
    writeFileSync(file, sheetOf(rowOf(...columns), `<row>${booking.map((cell) => textOf(cell)).join('')}</row>`));
    const mapping = join(dataDir, 'bookings.yaml');
    writeFileSync(mapping, await command('import', 'bookings', file, '--guess'));
    await command('import', 'bookings', file, '--mapping', mapping);
    await served.settled();
    await until(
      async () => (await readStream(nats.port, 'stayd')).some(({ body }) => body.resource === 'reservation'),
      'the booking to be published',
    );
  });

  it('writes the mirror as Parquet files into a bucket', async () => {
    await command('report', '--parquet', 's3://rooms/lake');
    const names = await storage.names();
    assert.ok(names.includes('lake/stayd-parquet.json'), names.join(' '));
    const stays = names.find((name) => /^lake\/tables\/stays.*\.parquet$/.test(name)) ?? '';
    assert.equal(storage.content(stays).subarray(0, 4).toString(), 'PAR1');
  });

  it('prints a rate plan as YAML', async () => {
    const plan = join(dataDir, 'plan.yaml');
    writeFileSync(plan, 'currency: EUR\nbase_price: 90\nguests: { most: 2 }\ncancellation: flexible\n');
    const { properties } = await served.v3('GET', '/properties');
    const id = String(properties[0].id);
    await command('rates', 'set', plan, '--property', id);
    assert.match(await command('rates', 'show', id), /^base_price: 90$/m);
  });

  it('ends in order', async () => {
    assert.equal(await service.kill('SIGTERM'), 0, service.stderr());
    assert.equal(service.stderr(), '');
  });
});
