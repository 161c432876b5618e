import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { MailSender } from '../../../src/outbound/sendMail.ts';
import { type ServiceProcess, startProcess } from '../../service/support/process.ts';
import {
  call,
  dataDirectory,
  newToken,
  portal,
  type Reached,
  startTestService,
  type TestService,
  until,
  v3,
} from '../../support/service.ts';
import { runSql } from '../../support/tables.ts';
import { PASSWORD } from './support/mailServer.ts';
import { mailOf } from './support/shapes.ts';
import { PLACES, startTlsServer, STRIPPED, type TlsServer } from './support/tlsServer.ts';

const SECURITIES = ['tls', 'starttls'] as const;
type Security = (typeof SECURITIES)[number];
/** What nobody understands alone. */
const CODES = /[A-Z]+_[A-Z_]+(?<!NODE_EXTRA_CA_CERTS)\b|ERR_/;

/** What Dovecot notes of somebody who has sent a name and a password. */
const SIGNED_IN = /Login: user|auth attempts(?<!no auth attempts)/;

describe('mail over TLS', () => {
  let server: TlsServer;
  before(async () => {
    server = await startTlsServer();
  });
  after(() => server.stop());

  const imapAt = (host: string, security: Security) => ({ host, port: server.imap[security], security });
  const draft = (address: string, imap: object, smtp: object) => ({
    name: 'Sea View',
    address,
    imap: { password: PASSWORD, ...imap },
    smtp: { password: PASSWORD, ...smtp },
  });
  const good = (address: string, security: Security) =>
    draft(address, imapAt('localhost', security), { host: 'localhost', port: server.smtp.good[security], security });

  describe('whose CA the operator has named in NODE_EXTRA_CA_CERTS', () => {
    let service: ServiceProcess;
    let token: string;
    before(async () => {
      service = await startProcess(dataDirectory(), {
        STAYD_OUTBOUND_ALLOW: server.allow,
        NODE_EXTRA_CA_CERTS: server.ca,
        STAYD_MAIL_SMTP_HOST: 'localhost',
        STAYD_MAIL_SMTP_PORT: String(server.smtp.good.starttls),
        STAYD_MAIL_SMTP_USER: 'any',
        STAYD_MAIL_SMTP_PASSWORD: PASSWORD,
        STAYD_MAIL_SMTP_FROM: 'Sea View <reception@rooms.example>',
      });
      token = await newToken(service);
    });
    after(async () => {
      await service.kill('SIGTERM');
      rmSync(service.dataDir, { recursive: true, force: true });
    });

    for (const security of SECURITIES) {
      it(`reads and sends (${security})`, async () => {
        const address = `${security}@rooms.example`;
        const { id } = await portal(service, 'POST', '/portal/mailboxes', good(address, security));
        assert.deepEqual(await portal(service, 'POST', `/portal/mailboxes/${id}/test`), { id, imap: null, smtp: null });
        const from = `ann-${security}@guest.example`;
        server.drop(address, mailOf({ From: from, 'Message-ID': `<q.${from}>` }, 'A cot?'));
        const { outcome } = await portal(service, 'POST', `/portal/mailboxes/${id}/read`);
        assert.deepEqual(outcome.kinds, { message: 1 });
        const { conversations } = await v3(service, token, 'GET', '/conversations?offset=0&limit=100');
        const found = conversations.find((one: { guest: { email: string } }) => one.guest.email === from);
        await v3(service, token, 'POST', `/conversations/${found.id}`, { message: 'Yes' });
        await until(() => server.sent.some(({ to }) => to.includes(from)), 'the answer');
        assert.ok(server.sent.every(({ isSecure }) => isSecure));
      });

      for (const [place, host, says] of [
        [
          'another name',
          PLACES.good,
          /^imap: cannot be read: the certificate of 127\.0\.0\.1 is for other names \(localhost\); name/,
        ],
        ['a CA of nobody', PLACES.stranger, /is signed by itself.*NODE_EXTRA_CA_CERTS/],
        ['a time that is over', PLACES.expired, /the certificate of 127\.0\.0\.3 has expired; the operator .* renew/],
      ] as const) {
        it(`refuses a certificate of ${place} for reading (${security})`, async () => {
          const { smtp } = good('x@rooms.example', security);
          const noted = server.log().length;
          await refuse(service, draft('x@rooms.example', imapAt(host, security), smtp), 'imap', says);
          assert.doesNotMatch(server.log().slice(noted), SIGNED_IN);
        });

        it(`refuses a certificate of ${place} for sending (${security})`, async () => {
          const { imap } = good('x@rooms.example', security);
          const at = host === PLACES.good ? 'good' : host === PLACES.stranger ? 'stranger' : 'expired';
          const tried = server.signIns();
          const smtp = { host, port: server.smtp[at][security], security };
          const words = new RegExp(says.source.replace('imap: cannot be read', 'smtp: cannot send'));
          await refuse(service, draft('x@rooms.example', imap, smtp), 'smtp', words);
          assert.equal(server.signIns(), tried);
        });
      }
    }

    it('sends notices', async () => {
      const settings = { to: ['owner@owners.example'] };
      await portal(service, 'POST', '/portal/notices', { name: 'Owner', kind: 'email', settings, hears: [] });
      const told = await portal(service, 'POST', '/portal/notices/Owner/test', {});
      assert.deepEqual([told.sent, told.problem], [true, null]);
      assert.ok(server.sent.some(({ to, isSecure }) => to.includes('owner@owners.example') && isSecure));
    });

    it('is not read in clear when it does not offer STARTTLS', async () => {
      const noted = server.log().length;
      const unread = draft('x@rooms.example', imapAt(STRIPPED, 'starttls'), good('x', 'tls').smtp);
      await refuse(service, unread, 'imap', /127\.0\.0\.4 does not offer STARTTLS, .*clear.*choose tls/);
      // The server notes it after the connection has ended.
      await until(() => /no auth attempts/.test(server.log().slice(noted)), 'the note of the server');
      assert.doesNotMatch(server.log().slice(noted), SIGNED_IN);
    });

    it('is not answered in clear when it does not offer STARTTLS', async () => {
      const [tried, sent] = [server.signIns(), server.sent.length];
      const { imap } = good('x@rooms.example', 'tls');
      const smtp = { host: 'localhost', port: server.stripped, security: 'starttls' };
      const says = /^smtp: cannot send: localhost does not offer STARTTLS, .*clear.*choose tls/;
      await refuse(service, draft('x@rooms.example', imap, smtp), 'smtp', says);
      // A server that stops offering it later is refused as well, for each mail.
      const before = await portal(service, 'GET', '/portal/mailboxes');
      const [kept] = before.mailboxes;
      await edit(service, kept.id, { smtp_port: server.stripped, smtp_security: 'starttls' });
      const { conversations } = await v3(service, token, 'GET', '/conversations?offset=0&limit=100');
      const found = conversations.find(
        (one: { guest: { email: string } }) => one.guest.email === 'ann-tls@guest.example',
      );
      await v3(service, token, 'POST', `/conversations/${found.id}`, { message: 'In clear?' });
      await until(async () => {
        const { mails } = await portal(service, 'GET', '/portal/mailboxes/log?waiting=true');
        return mails.some(
          ({ kind, says: why }: { kind: string; says: string }) => kind === 'failed' && /STARTTLS/.test(why),
        );
      }, 'the refusal');
      assert.deepEqual([server.signIns(), server.sent.length], [tried, sent]);
    });
  });

  describe('whose CA nobody has named', () => {
    let service: TestService;
    before(async () => {
      service = await startTestService({ STAYD_OUTBOUND_ALLOW: server.allow });
    });
    after(() => service.remove());

    for (const security of SECURITIES) {
      it(`is refused before a password leaves (${security})`, async () => {
        const [tried, noted] = [server.signIns(), server.log().length];
        const says =
          /the certificate of localhost comes from a CA that nothing here trusts; .*NODE_EXTRA_CA_CERTS.*start stayd again/;
        await refuse(service, good('x@rooms.example', security), 'imap', says);
        assert.equal(server.signIns(), tried);
        assert.doesNotMatch(server.log().slice(noted), SIGNED_IN);
      });

      it(`gets no notices (${security})`, async () => {
        const tried = server.signIns();
        const from = 'Sea View <reception@rooms.example>';
        const at = {
          host: 'localhost',
          port: server.smtp.good[security],
          security,
          user: 'any',
          password: PASSWORD,
          from,
        };
        const outcomes = [];
        for (const one of [at, { ...at, host: PLACES.stranger, port: server.smtp.stranger[security] }]) {
          const mail = new MailSender(one);
          outcomes.push(await mail.send({ id: 'n1', to: ['a@b.example'], subject: 'x', text: 'x' }));
          await mail.close();
        }
        for (const outcome of outcomes) {
          assert.ok('problem' in outcome);
          assert.match(outcome.problem, /nothing here trusts.*NODE_EXTRA_CA_CERTS/);
          assert.doesNotMatch(outcome.problem, CODES);
        }
        assert.equal(server.signIns(), tried);
      });
    }

    it('is told when the port speaks no TLS', async () => {
      const imap = { host: 'localhost', port: server.imap.starttls, security: 'tls' };
      const says = /localhost does not answer with TLS on this port; choose starttls/;
      await refuse(service, draft('x@rooms.example', imap, good('x', 'tls').smtp), 'imap', says);
    });
  });
});

async function refuse(service: Reached, body: object, field: string, says: RegExp): Promise<void> {
  const answered = await call(service, 'POST', '/portal/mailboxes', { body });
  assert.equal(answered.http, 422, answered.text);
  const { message, field: named } = answered.json.error;
  assert.equal(named, field, message);
  assert.match(message, says);
  assert.doesNotMatch(message, CODES);
}

/** Changes a mailbox behind the back of the service, as a server changes behind it. */
async function edit(service: Reached, id: number, columns: Record<string, string | number>): Promise<void> {
  const pairs = Object.entries(columns).map(
    ([name, value]) => `${name} = ${typeof value === 'number' ? value : `'${value}'`}`,
  );
  await runSql(service, `update core.mailboxes set ${pairs.join(', ')} where id = ${id}`);
}
