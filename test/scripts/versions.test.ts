import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';

const SCRIPT = new URL('../../scripts/release/versions.mjs', import.meta.url).href;

const CHANGELOG = `# Changelog

## [Unreleased]

- New.

## [1.2.0] 2027-03-05

- Older.
`;

describe('the version of a release', () => {
  let versions: {
    nextVersion(current: string, wanted: string): string;
    releasedChangelog(changelog: string, version: string, day: string): string;
    notesOf(changelog: string, version: string): string;
  };
  before(async () => {
    versions = await import(SCRIPT);
  });

  it('follows the present one', () => {
    for (const [wanted, next] of [
      ['patch', '1.2.4'],
      ['minor', '1.3.0'],
      ['major', '2.0.0'],
      ['1.2.10', '1.2.10'],
      ['10.0.0', '10.0.0'],
    ] as const) {
      assert.equal(versions.nextVersion('1.2.3', wanted), next);
    }
    for (const wanted of ['1.2.3', '1.2.2', '1.1.9', '0.9.0']) {
      assert.throws(() => versions.nextVersion('1.2.3', wanted), /does not follow 1\.2\.3/, wanted);
    }
    for (const wanted of ['', 'v1.3.0', '1.3', '1.3.0-beta', 'next']) {
      assert.throws(() => versions.nextVersion('1.2.3', wanted), /is no version: write major, minor, patch/, wanted);
    }
  });

  it('and its day stand over what was unreleased', () => {
    const released = versions.releasedChangelog(CHANGELOG, '1.3.0', '2027-04-01');
    assert.match(released, /## \[Unreleased\]\n\n## \[1\.3\.0\] 2027-04-01\n\n- New\.\n\n## \[1\.2\.0\]/);
    assert.equal(versions.notesOf(released, '1.3.0'), '- New.');
    assert.equal(versions.notesOf(released, '1.2.0'), '- Older.');
    assert.throws(() => versions.releasedChangelog(released, '1.4.0', '2027-05-01'), /nothing stands under/);
  });

  it('of a first release has what is unreleased as its notes', () => {
    assert.equal(versions.notesOf('## [Unreleased] 0.1.0\n\n- First.\n', '0.1.0'), '- First.');
    assert.equal(versions.notesOf('# Changelog\n', '0.1.0'), '');
  });
});
