import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type Mailbox, openMailbox } from '../notices/support/told.ts';
import { dataDirectory, startTestService, type TestService, until } from '../support/service.ts';

const rule = (name: string, report: string) => `name: ${name}
state: live
when: booking
do:
  - notify: { to: [Owner], title: Your month, text: "Dear owner, here it is.", report: ${report} }
`;
const today = new Date().toISOString().slice(0, 10);
const soon = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);

describe('a report that a rule sends by mail', () => {
  let mailbox: Mailbox;
  let service: TestService;
  before(async () => {
    mailbox = await openMailbox();
    const dataDir = dataDirectory();
    const rules = join(dataDir, 'rules');
    mkdirSync(rules);
    writeFileSync(join(rules, 'good.yaml'), rule('monthly', '{ name: revenue-by-stay-date, month: this }'));
    writeFileSync(join(rules, 'bad.yaml'), rule('unknown', '{ name: nothing }'));
    writeFileSync(join(rules, 'whose.yaml'), rule('whose', '{ name: owner-statement }'));
    service = await startTestService(
      {
        STAYD_AUTOMATIONS_RULES: rules,
        STAYD_MAIL_SMTP_HOST: '127.0.0.1',
        STAYD_MAIL_SMTP_PORT: String(mailbox.port),
        STAYD_MAIL_SMTP_SECURITY: 'none',
        STAYD_MAIL_SMTP_FROM: 'Sea View <reception@rooms.example>',
      },
      { dataDir },
    );
    await service.settled();
  });
  after(async () => {
    await service.remove();
    await mailbox.close();
  });

  it('arrives as a file, and what cannot be one fails its plan in words', async () => {
    const settings = { to: ['owner@owners.example'] };
    await service.portal('POST', '/portal/notices', { name: 'Owner', kind: 'email', settings, hears: [] });
    const { property_id } = await service.v3('POST', '/properties', { name: 'Sea House' });
    await service.settled();
    // Moments of the wire are whole seconds; what happens in the second of the start is taken for history.
    const { rules } = await service.portal('GET', '/portal/automations');
    assert.equal(rules.length, 3);
    const armed = Math.max(...rules.map(({ armed_at }: { armed_at: string }) => Date.parse(armed_at)));
    await until(() => Date.now() > armed + 1_100, 'the next second');
    await service.v3('POST', '/reservations', {
      property_id,
      check_in_date: today,
      check_out_date: soon,
      guest_name: 'A. Guest',
      rate_amount: 300,
      commission_amount: 0,
      received_amount: 0,
      currency: 'EUR',
    });
    await until(() => mailbox.mails.length > 0, 'the mail');
    const [mail] = mailbox.mails;
    assert.deepEqual(mail?.to, ['owner@owners.example']);
    const text = mail?.text ?? '';
    const name = `revenue-by-stay-date-${today.slice(0, 7)}.csv`;
    assert.ok(text.includes(`filename=${name}`), text.slice(0, 2_000));
    const [, encoded = ''] = /filename=\S+\.csv[\s\S]*?\r\n\r\n([\s\S]*?)\r\n--/.exec(text) ?? [];
    const csv = /base64/i.test(text.slice(text.indexOf(name) - 300))
      ? Buffer.from(encoded, 'base64').toString()
      : encoded;
    assert.match(csv, /300\.00/);
    assert.match(text, /Dear owner, here it is\./);
    const plans = async () =>
      (await service.rows('select rule, state, detail from mirror.automation_plans order by rule')).map(
        ({ rule, state, detail }) => [rule, state, detail].map(String).join(' '),
      );
    await until(async () => (await plans()).every((one) => !one.includes('waiting')), 'the plans');
    assert.deepEqual(await plans(), [
      'monthly sent null',
      'unknown failed report: there is no nothing; ./stayd report lists them',
      'whose failed report: owner-statement needs the code of an owner',
    ]);
    assert.equal(mailbox.mails.length, 1);
  });
});
