import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { lookAtModel } from '../../../src/compose/doctor/model.ts';
import { openModel } from '../../../src/compose/mirror/model.ts';
import { type Environment, loadConfig } from '../../../src/config.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { type ObedientModel, startModel } from './support/obedientModel.ts';

describe('the language model of the configuration', () => {
  let model: ObedientModel;
  let folder: string;
  before(async () => {
    model = await startModel(() => 'Yes.');
    folder = mkdtempSync(join(tmpdir(), 'stayd-model-'));
  });
  after(async () => {
    await model.close();
    rmSync(folder, { recursive: true });
  });
  const configured = (more: Environment = {}) =>
    loadConfig({
      STAYD_DATA_DIR: folder,
      STAYD_AI_URL: model.url,
      STAYD_AI_MODEL: 'obedient',
      STAYD_AI_LOCAL: 'true',
      ...more,
    });
  const opened = (more: Environment = {}) => openModel(configured(more), { clock: systemClock, userAgent: 'test' });
  const asked = async (more: Environment = {}) => {
    const caller = opened(more);
    assert.ok(caller);
    const answer = await caller.ask([{ role: 'user', content: '{}' }], new AbortController().signal);
    await caller.close();
    return answer;
  };
  const look = async (more: Environment = {}) => {
    const { state, says, remedy } = await lookAtModel(configured(more), systemClock);
    return [state, says.replace(model.url, 'URL'), remedy];
  };

  it('is nobody until url and model are set, and then both', () => {
    assert.equal(opened({ STAYD_AI_URL: '', STAYD_AI_MODEL: '' }), undefined);
    assert.throws(() => configured({ STAYD_AI_MODEL: '' }), /ai\.model: is needed too/);
    assert.throws(() => configured({ STAYD_AI_URL: '' }), /ai\.url: is needed too/);
    assert.throws(() => configured({ STAYD_AI_URL: 'ftp://x.example' }), /ai\.url: must be an http or https address/);
  });

  it('is asked with the key of the configuration, or that in the data directory, or none', async () => {
    assert.deepEqual(await asked({ STAYD_AI_KEY: 'given' }), { text: 'Yes.', tokens: { prompt: 100, answer: 20 } });
    writeFileSync(join(folder, 'ai.key'), 'kept\n', { mode: 0o600 });
    await asked();
    writeFileSync(join(folder, 'ai.key'), 'two\nlines\n');
    assert.throws(() => opened(), /ai\.key holds no key/);
    rmSync(join(folder, 'ai.key'));
    await asked();
    const keys = model.received.map((one) => one.authorization);
    assert.deepEqual(keys, ['Bearer given', 'Bearer kept', undefined]);
  });

  it('gets the parameters that are configured, and never tools', async () => {
    model.received.length = 0;
    await asked({ STAYD_AI_PARAMETERS: '{max_tokens: null, max_completion_tokens: 9}' });
    const [{ body } = { body: {} }] = model.received;
    assert.deepEqual(Object.keys(body).toSorted(), [
      'max_completion_tokens',
      'messages',
      'model',
      'stream',
      'temperature',
    ]);
    for (const name of ['tools', 'tool_choice', 'messages', 'stream']) {
      assert.throws(() => opened({ STAYD_AI_PARAMETERS: `{${name}: x}` }), new RegExp(`must not hold ${name}`));
    }
  });

  it('S5: is not reached in this machine or its network unless that is said, and then at that address alone', async () => {
    model.received.length = 0;
    for (const url of [
      model.url,
      'https://10.0.0.1/v1',
      'https://metadata.google.internal/v1',
      'https://localhost/v1',
    ]) {
      const answer = await asked({ STAYD_AI_URL: url, STAYD_AI_LOCAL: 'false' });
      assert.match(
        'problem' in answer ? answer.problem : '',
        /^the address (must begin with https:\/\/|leads into a private network)$/,
      );
    }
    assert.deepEqual(model.received, []);
    assert.ok('text' in (await asked()));
  });

  it('doctor says whether it answers, takes the key, and has the model', async () => {
    assert.deepEqual(await look(), ['ok', 'URL answers, and has obedient', null]);
    assert.deepEqual(await look({ STAYD_AI_MODEL: 'other' }), [
      'problem',
      'URL answers, but has no other',
      'set ai.model to one that it has: obedient',
    ]);
    assert.deepEqual(await look({ STAYD_AI_LOCAL: 'false' }), [
      'problem',
      'URL: the address must begin with https://',
      'for an address in this machine or its network set ai.local: true',
    ]);
    assert.equal((await look({ STAYD_AI_URL: '', STAYD_AI_MODEL: '' }))[0], 'note');
    const gone = await startModel(() => '');
    await gone.close();
    assert.deepEqual((await look({ STAYD_AI_URL: gone.url }))[0], 'problem');
  });
});
