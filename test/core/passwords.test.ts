import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isCommon, requireGoodPassword } from '../../src/core/people/passwords.ts';

const refused = (problem: RegExp) => ({ code: 422, message: problem });

describe('passwords', () => {
  for (const password of [
    '1qaz2wsx3edc',
    'FinalFantasy',
    'password1234',
    'Password!2026',
    '2026password!',
    'qwerty123456',
    'dragondragon',
    'Sunshine.2026!',
    'p.a.s.s.w.o.r.d',
    'ｐａｓｓｗｏｒｄ１２３４',
  ]) {
    it(`${password} is tried first, and refused`, () =>
      assert.rejects(requireGoodPassword(password, 'ada'), refused(/^password: is one of those that are tried first/)));
  }

  for (const password of [
    'correct horse battery',
    'Xk2-vvQp-81mz',
    'mein Hund mag keine Post',
    '夜明け前の静かな港で泳ぐ猫',
  ]) {
    it(`${password} is taken`, () => requireGoodPassword(password, 'ada'));
  }

  it('the rules of before stand', async () => {
    await assert.rejects(requireGoodPassword('Xk2-vvQp-81', 'ada'), refused(/12 characters/));
    await assert.rejects(requireGoodPassword('xx ada Xk2-vvQp', 'ada'), refused(/login/));
    await assert.rejects(requireGoodPassword('ababababababab', 'ada'), refused(/5 different/));
  });

  it('is one of the list by itself, longer by digits and signs, or repeated', () => {
    const common = new Set(['dragon']);
    for (const text of ['dragon', 'DRAGON', '12dragon!', 'dragondragon', 'd-r-a-g-o-n', '1dragon']) {
      assert.equal(isCommon(text, common), true, text);
    }
    for (const text of ['dragonfly', 'my dragon', 'drag0n', '']) assert.equal(isCommon(text, common), false, text);
  });
});
