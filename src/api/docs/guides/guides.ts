import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { plainText } from './inline.ts';
import { type GuideSection, sectionsOf } from './markdown.ts';

/** A page of `docs/`. */
export interface Guide {
  /** The name of its file without the ending. */
  readonly name: string;
  readonly title: string;
  readonly address: string;
  readonly text: string;
  /** Takes the text apart, which only its own page and the search need. */
  sections(): readonly GuideSection[];
}

/** Headings of the list of guides, each with its guides in the order in which they are read. */
const CHAPTERS: Readonly<Record<string, readonly string[]>> = {
  'Guides: run it': [
    'commands',
    'configuration',
    'running',
    'deploy',
    'scale',
    'backup',
    'upgrading',
    'messages',
    'monitoring',
    'metrics',
    'status',
    'security',
  ],
  'Guides: use it': [
    'console',
    'imports',
    'channels',
    'feed-traps',
    'guest-page',
    'direct',
    'direct-bookings',
    'mail',
    'sharing',
    'reports',
    'automations',
    'notices',
    'month-end',
    'accounting',
    'formats',
    'payouts',
    'sandbox',
    'connect',
    'dialects',
  ],
  'Guides: build on it': [
    'v3-additions',
    'coverage',
    'mirror',
    'mirror-schema',
    'analysts',
    'integrations',
    'endpoints',
    'broker',
    'portal',
    'oauth',
    'mcp',
    'renamed',
  ],
  'Guides: work on it': ['architecture', 'states', 'testing', 'measured', 'measured-history'],
};
const OTHERS = 'Guides: more';

/** A heading with its guides. */
interface GuideChapter {
  readonly title: string;
  readonly guides: readonly Guide[];
}

/** Reads the guides in a folder by chapters; none where the folder is missing. */
export function readGuides(folder: string): readonly GuideChapter[] {
  const names = markdownIn(folder);
  const known = Object.values(CHAPTERS).flat();
  const chapters = { ...CHAPTERS, [OTHERS]: names.filter((name) => !known.includes(name)) };
  return Object.entries(chapters)
    .map(([title, members]) => ({
      title,
      guides: members.filter((name) => names.includes(name)).map((name) => readGuide(folder, name)),
    }))
    .filter(({ guides }) => guides.length > 0);
}

function markdownIn(folder: string): readonly string[] {
  try {
    const files = readdirSync(folder).filter((file) => file.endsWith('.md'));
    return files.map((file) => file.slice(0, -'.md'.length)).toSorted();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

function readGuide(folder: string, name: string): Guide {
  const text = readFileSync(join(folder, `${name}.md`), 'utf8');
  const title = plainText(/^# (.+)$/m.exec(text)?.[1] ?? name);
  return { name, title, address: addressOfGuide(name), text, sections: () => sectionsOf(text) };
}

function addressOfGuide(name: string): string {
  return `/docs/guides/${name}`;
}

/**
 * Returns where a link in a guide leads: to another guide, to a place in the same one, or to elsewhere; undefined for
 * files that have no page here.
 */
export function guideTarget(target: string, names: ReadonlySet<string>): string | undefined {
  if (/^(https?:|#)/.test(target)) return target;
  const [path = '', anchor] = target.split('#', 2);
  const name = /^([\w-]+)\.md$/.exec(posix.normalize(path))?.[1];
  if (name === undefined || !names.has(name)) return undefined;
  return `${addressOfGuide(name)}${anchor === undefined ? '' : `#${anchor}`}`;
}
