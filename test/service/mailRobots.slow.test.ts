import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type MailServer, PASSWORD, startMailServer } from '../channels/mail/support/mailServer.ts';
import { mailOf } from '../channels/mail/support/shapes.ts';
import { dataDirectory, startTestService, type TestService, until } from '../support/service.ts';

const RULE = `name: answer-everybody
state: live
when: message from guest
quiet: "off"
do:
  message: { text: "Thank you, we answer soon." }
`;

describe('two robots that answer each mail', () => {
  let server: MailServer;
  const services: TestService[] = [];
  const addresses = ['one@rooms.example', 'two@rooms.example'] as const;
  before(async () => {
    server = await startMailServer();
    for (const address of addresses) {
      const dataDir = dataDirectory();
      mkdirSync(join(dataDir, 'rules'));
      writeFileSync(join(dataDir, 'rules', 'answer.yaml'), RULE);
      const environment = { STAYD_OUTBOUND_ALLOW: server.allow, STAYD_AUTOMATIONS_RULES: join(dataDir, 'rules') };
      const service = await startTestService(environment, { dataDir });
      services.push(service);
      await service.settled();
      await service.portal('POST', '/portal/mailboxes', {
        name: address,
        address,
        imap: { host: '127.0.0.1', port: server.imapPort, security: 'none', password: PASSWORD },
        smtp: { host: '127.0.0.1', port: server.smtpPort, security: 'none' },
      });
    }
  });
  after(async () => {
    for (const service of services) await service.remove();
    await server.stop();
  });

  it('end after one answer, since no answer is given to a robot', async () => {
    const [one, two] = services;
    assert.ok(one && two);
    server.drop(
      addresses[0],
      mailOf({ From: addresses[1], To: addresses[0], Subject: 'Hi', 'Message-ID': '<1@rooms.example>' }, 'Hello'),
    );
    await one.portal('POST', '/portal/mailboxes/1/read');
    await until(() => server.sent.length === 1, 'the first robot to answer');
    assert.match(server.sent[0]?.raw ?? '', /^Auto-Submitted: auto-generated\r$/m);
    for (let round = 0; round < 3; round++) {
      for (const service of [two, one]) {
        await service.portal('POST', '/portal/mailboxes/1/read');
        await service.settled();
      }
    }
    assert.equal(server.sent.length, 1);
    const { mails } = await two.portal('GET', '/portal/mailboxes/log');
    assert.deepEqual(
      mails.map((mail: { kind: string }) => mail.kind),
      ['automatic'],
    );
  });
});
