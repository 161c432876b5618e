import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parse } from 'yaml';
import { withConnection } from '../../src/config/withConnection.ts';
import { type PlacedSetting, withPlaces } from '../../src/config/withPlaces.ts';

const FILE = 'stayd.yaml';
const NOTED = `# our books
exports:
  books:
    local:
      # from the accountant
      items:
        income:
          7: extra # parking
        expense: {}
`;

describe('settings that pages write', () => {
  it('stand beside what a person wrote, whose comments stay', () => {
    const text = withPlaces(NOTED, FILE, [
      [['exports', 'books', 'local', 'items', 'income', '7'], 'cleaning'],
      [['exports', 'books', 'local', 'items', 'expense', '9'], 'opex'],
      [['exports', 'books', 'local', 'channels', 'a: b', 'deposits'], 'hold'],
    ]);
    assert.match(text, /^# our books\n/);
    assert.match(text, /# from the accountant/);
    assert.match(text, /^ +7: cleaning # parking$/m);
    assert.equal(text.match(/7"?:/g)?.length, 1, text);
    assert.deepEqual(parse(text), {
      exports: {
        books: {
          local: {
            items: { income: { 7: 'cleaning' }, expense: { 9: 'opex' } },
            channels: { 'a: b': { deposits: 'hold' } },
          },
        },
      },
    });
  });

  it('are read again as they were written, whatever stood there before', () => {
    const key = fc.oneof(fc.constantFrom('items', 'a', 'null', '7', '__proto__x'), fc.string({ minLength: 1 }));
    const before = fc.constantFrom('', '# nothing\n', 'exports:\n', 'exports: {}\n', 'exports: null\n', NOTED);
    fc.assert(
      fc.property(before, key, key, fc.string({ minLength: 1 }), (text, first, second, value) => {
        fc.pre(first !== '__proto__' && second !== '__proto__');
        const setting: PlacedSetting = [['exports', first, second], value];
        const once = withPlaces(text, FILE, [setting]);
        assert.equal(parse(once).exports[first][second], value);
        assert.equal(withPlaces(once, FILE, [setting]), once);
      }),
    );
  });

  it('do not go into what is no settings file', () => {
    const [setting]: PlacedSetting[] = [[['a'], 'b']];
    assert.throws(() => withPlaces('- a\n- b\n', FILE, [setting ?? assert.fail()]), /stayd\.yaml holds no settings/);
    assert.throws(() => withPlaces('a: [', FILE, [setting ?? assert.fail()]), /stayd\.yaml/);
  });

  it('a connection keeps what else was said about it', () => {
    const text = withConnection(
      'connections:\n  sea: { url: old, profile: x } # ours\n',
      FILE,
      'sea',
      { url: 'new' },
      {
        port: 1,
      },
    );
    assert.deepEqual(parse(text), { connections: { sea: { url: 'new', profile: 'x' } }, port: 1 });
    assert.match(text, /# ours/);
  });
});
