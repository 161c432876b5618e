import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { senderChecks } from '../../../src/channels/mail/read/checks.ts';
import { ownWords } from '../../../src/channels/mail/read/ownWords.ts';
import { readMail } from '../../../src/channels/mail/read/readMail.ts';
import { mailOf, shapes } from './support/shapes.ts';

const bytes = (raw: string | Buffer) => (typeof raw === 'string' ? Buffer.from(raw) : raw);

describe('mail is taken apart', () => {
  for (const { name, kind, text, pictures, build } of shapes) {
    it(`${name}: ${kind}`, async () => {
      if (kind === 'unreadable') {
        const read = await readMail(bytes(build(1)), []).catch((error: unknown) => error);
        if (!(read instanceof Error)) assert.equal((read as { from?: object }).from, undefined);
        return;
      }
      const read = await readMail(bytes(build(1)), []);
      if (kind !== 'message') {
        assert.equal(read.robot?.kind ?? 'own', kind);
        return;
      }
      assert.equal(read.robot, undefined);
      const shown = [read.text, ...(read.others.length > 0 ? [`[📎 ${read.others.join(', ')}]`] : [])].join('\n\n');
      assert.equal(shown === '' ? read.subject : shown, text);
      assert.equal(read.pictures.length, pictures);
      assert.equal(read.from?.address, 'guest1@guest.example');
      assert.doesNotMatch(`${read.subject}${read.from?.name}`, /[\r\n]/);
      assert.ok(read.subject.length <= 200);
    });
  }

  it('within a time that its length bounds, whatever is in it', async () => {
    const started = process.cpuUsage();
    for (const line of [
      '> '.repeat(50_000),
      'On '.repeat(50_000),
      'Am 1 '.repeat(50_000),
      `${'a <b@c> '.repeat(30_000)}schrieb`,
      '_'.repeat(200_000),
      '\n'.repeat(200_000),
    ]) {
      ownWords(`${line}\n${line}`);
      await readMail(
        Buffer.from(mailOf({ From: 'a@b.example', 'Content-Type': 'text/html' }, `<div>${line}</div>`.repeat(3))),
        [],
      );
    }
    assert.ok(process.cpuUsage(started).user < 20_000_000);
  });

  it('with the checks that its own server signed on top, and no others', () => {
    const head =
      'mx.rooms.example; spf=pass (a; spf=fail) smtp.mailfrom=x; dkim=fail; dkim=pass header.d=x; dmarc=pass';
    assert.deepEqual(senderChecks(head, ['mx.rooms.example']), {
      text: 'spf=pass dkim=pass dmarc=pass',
      isDisowned: false,
    });
    assert.deepEqual(senderChecks('MX.rooms.example 1; dmarc=fail', ['mx.rooms.example']), {
      text: 'dmarc=fail',
      isDisowned: true,
    });
    assert.equal(senderChecks(head, ['imap.rooms.example']), null);
    assert.equal(senderChecks('(mx.rooms.example;) evil.example; spf=pass', ['mx.rooms.example']), null);
    assert.equal(senderChecks(undefined, ['mx.rooms.example']), null);
  });
});
