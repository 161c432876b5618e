/** What cannot be released, said to a person. */
export class CannotRelease extends Error {}

const VERSION = /^(\d+)\.(\d+)\.(\d+)$/;
const STEPS = ['major', 'minor', 'patch'];
const UNRELEASED = /^## \[Unreleased\].*$/m;
const SECTION = /^## \[/m;

/**
 * @param {string} current
 * @param {string} wanted `major`, `minor`, `patch`, or a version
 * @returns {string} the version that follows
 * @throws {CannotRelease} if it does not follow
 */
export function nextVersion(current, wanted) {
  const parts = partsOf(current);
  const step = STEPS.indexOf(wanted);
  if (step >= 0) return parts.map((part, at) => (at < step ? part : at === step ? part + 1 : 0)).join('.');
  if (!VERSION.test(wanted)) {
    throw new CannotRelease(`"${wanted}" is no version: write ${STEPS.join(', ')}, or three numbers such as 1.4.0`);
  }
  const given = partsOf(wanted);
  const first = given.findIndex((part, at) => part !== parts[at]);
  if (first < 0 || given[first] < parts[first]) {
    throw new CannotRelease(`${wanted} does not follow ${current}, the version in package.json`);
  }
  return wanted;
}

function partsOf(version) {
  const [, ...parts] = VERSION.exec(version) ?? [];
  return parts.map(Number);
}

/**
 * Gives what is unreleased in the change log the number and the day of its release.
 * @param {string} changelog
 * @param {string} version
 * @param {string} day such as 2027-03-05
 * @throws {CannotRelease} if nothing is unreleased
 */
export function releasedChangelog(changelog, version, day) {
  if (sectionOf(changelog, 'Unreleased') === '') {
    throw new CannotRelease('CHANGELOG.md: nothing stands under "## [Unreleased]"; say first what has changed');
  }
  return changelog.replace(UNRELEASED, `## [Unreleased]\n\n## [${version}] ${day}`);
}

/**
 * @param {string} changelog
 * @param {string} version
 * @returns {string} what the change log says of a version, empty if nothing; of a first version what is unreleased
 */
export function notesOf(changelog, version) {
  return sectionOf(changelog, version) || sectionOf(changelog, 'Unreleased');
}

function sectionOf(changelog, name) {
  const heading = new RegExp(`^## \\[${name.replaceAll('.', '\\.')}\\].*$`, 'm').exec(changelog);
  if (!heading) return '';
  const rest = changelog.slice(heading.index + heading[0].length);
  return rest.slice(0, SECTION.exec(rest)?.index).trim();
}
