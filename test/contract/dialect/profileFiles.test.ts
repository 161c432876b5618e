import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { loadProfile, profileFiles, readProfile, sourceOf } from '../../../src/compose/profiles/profiles.ts';
import { described } from '../../../src/contract/dialect/profile.ts';
import { messageOf, UsageError } from '../../../src/kernel/errors.ts';

describe('profiles', () => {
  const folder = mkdtempSync(join(tmpdir(), 'stayd-profiles-'));
  after(() => rmSync(folder, { recursive: true }));
  const write = (name: string, text: string): string => {
    const file = join(folder, name);
    writeFileSync(file, text);
    return file;
  };
  const own = { profiles: folder };

  it('an empty file is a deployment as described, and so is the shipped one but for its note', () => {
    assert.deepEqual(readProfile(write('empty.yaml', '')), described);
    assert.deepEqual({ ...loadProfile(own, 'described'), note: '' }, described);
  });

  it('the public dialect says of itself that nobody has seen it', () => {
    assert.match(loadProfile(own, 'hostex').note, /not seen live/);
  });

  it('come from the folder of the user first, by name, and from anywhere by path', () => {
    write('mine.yaml', 'note: mine\n');
    write('hostex.yaml', 'note: my own\n');
    const elsewhere = write('other.yaml', 'base_path: /api/v3\n');
    const shipped = profileFiles({ profiles: join(folder, 'nowhere') }).map(({ name }) => name);
    assert.deepEqual(shipped, ['described', 'hostex']);
    const all = new Map(profileFiles(own).map((one) => [one.name, one.shipped]));
    assert.deepEqual([all.get('mine'), all.get('hostex'), all.get('described')], [false, false, true]);
    assert.equal(loadProfile(own, 'hostex').note, 'my own');
    assert.equal(loadProfile({ profiles: join(folder, 'nowhere') }, elsewhere).base_path, '/api/v3');
    assert.deepEqual(sourceOf(own, 'mine'), { note: 'mine' });
    rmSync(join(folder, 'hostex.yaml'));
  });

  const rows: [what: string, text: string, says: RegExp, hint?: RegExp][] = [
    ['no YAML', 'note: a\nwords: {channel: [\n', /bad\.yaml, line \d: /],
    ['a list', '- a\n', /bad\.yaml, line 1: must be a section with keys of its own/],
    [
      'a misspelt key',
      'note: a\ntoken_heder: x\n',
      /line 2: token_heder: is no known key/,
      /did you mean token_header/,
    ],
    [
      'a misspelt key further in',
      'requests:\n  always_paged: true\n  most_row: 5\n',
      /line 3: requests\.most_row: is no known key/,
      /did you mean most_rows/,
    ],
    ['no header', 'token_header: "a b"\n', /line 1: token_header: must be the name of a header/],
    ['no path', '\n\nbase_path: v3\n', /line 3: base_path: must be a path such as \/v3/],
    ['a set of words that is none', 'words:\n  chanel: {}\n', /line 2: words\.chanel: is no known key/, /channel/],
    [
      'a word that is none',
      'words:\n  channel:\n    direct: 5\n',
      /line 3: words\.channel\.direct: must be a word or a list of words/,
    ],
    [
      'one word for two channels',
      'words:\n  channel:\n    direct: own\n    ical: [feed, own]\n',
      /line 4: words\.channel\.ical: own stands for direct already/,
    ],
    ['a form that is none', 'fields:\n  task:\n    expected: { form: loca_time }\n', /line 3: fields\.task\.expected/],
    [
      'a kind of object that is none',
      'fields:\n  property: {}\n  propertys: { name: title }\n',
      /line 3: fields\.propertys: is no kind of object/,
      /did you mean property/,
    ],
    [
      'an operation that is none',
      'absent:\n  - getAccount\n  - getAcount\n',
      /line 3: absent\.1: must be an operation/,
    ],
    ['a code that is none', 'success_codes: [ok]\n', /line 1: success_codes\.0: must be a (whole )?number/],
    ['another way in', 'oauth: { by: magic }\n', /line 1: oauth(\.by)?: must be /],
  ];
  for (const [what, text, says, hint] of rows) {
    it(`a mistake is told with its line: ${what}`, () => {
      const file = write('bad.yaml', text);
      try {
        readProfile(file);
        assert.fail('it was taken');
      } catch (error) {
        assert.ok(error instanceof UsageError, messageOf(error));
        assert.match(messageOf(error), says);
        if (hint) assert.match(error.hint ?? '', hint);
      }
    });
  }
});
