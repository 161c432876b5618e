import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { describe, it } from 'node:test';
import { parse } from 'csv-parse/sync';
import type { Problem, Rejection } from '../../src/imports/outcome.ts';
import { RejectsFile, harmless } from '../../src/imports/rejects.ts';
import { freePath } from './support/files.ts';

const rejection = (line: number, ...problems: Problem[]): Rejection => ({
  kind: 'rejection',
  line,
  row: line - 1,
  problems,
});
const nights: Problem = { field: 'nights', reason: 'zero nights', value: '0' };
const rate: Problem = { field: 'total_amount', reason: 'negative rate', value: '-6.38' };

describe('the rejects file', () => {
  it('has a line for each row, with field, reason and value', async () => {
    const path = freePath('rejects.csv');
    const file = await RejectsFile.create(path);
    await file.write(rejection(2, nights));
    await file.write(rejection(9, nights, rate));
    await file.write(rejection(12, { field: 'line', reason: 'quote not closed', value: 'a,"b' }));
    assert.ok(!existsSync(path), 'not in its place before it is whole');
    await file.close();
    assert.deepEqual(parse(readFileSync(path)), [
      ['line', 'field', 'reason', 'value'],
      ['2', 'nights', 'zero nights', '0'],
      ['9', 'nights; total_amount', 'zero nights; negative rate', '0; -6.38'],
      ['12', 'line', 'quote not closed', 'a,"b'],
    ]);
    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.ok(!existsSync(`${path}.part`));
  });

  it('leaves the former one when a run is given up', async () => {
    const path = freePath('rejects.csv');
    const former = await RejectsFile.create(path);
    await former.write(rejection(2, nights));
    await former.close();
    const file = await RejectsFile.create(path);
    for (let line = 2; line < 5_000; line += 1) await file.write(rejection(line, nights));
    await file.abandon();
    assert.equal(readFileSync(path, 'utf8'), 'line,field,reason,value\r\n2,nights,zero nights,0\r\n');
    assert.ok(!existsSync(`${path}.part`));
  });

  it('is not there when nothing was refused, nor the former one', async () => {
    const path = freePath('rejects.csv');
    for (const refused of [1, 0]) {
      const file = await RejectsFile.create(path);
      for (let row = 0; row < refused; row += 1) await file.write(rejection(2, nights));
      await file.close();
      assert.deepEqual([existsSync(path), existsSync(`${path}.part`)], [refused > 0, false]);
    }
  });

  it('holds no formulas', () => {
    const signs = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];
    const payloads = signs.flatMap((sign) =>
      ['', ' ', '\n', '\u00a0', '\ufeff'].map((lead) => `${lead}${sign}SUM(A1)`),
    );
    for (const payload of payloads) assert.equal(harmless(payload), `'${payload}`, JSON.stringify(payload));
    for (const text of ['-6.38', '12', 'Ann', '31.12.2025', 'a=b', '', 'x-y']) assert.equal(harmless(text), text);
  });
});
