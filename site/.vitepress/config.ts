import { copyFileSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type MarkdownOptions } from 'vitepress';
import { readGuides } from '../../src/api/docs/guides/guides.ts';
import { headingAnchor } from '../../src/api/docs/guides/markdown.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Where files that pages speak of lie in the site, as they are. */
const FILES = 'files';
/** Folders with pages, beside those of the root. */
const PAGES = ['docs', 'integrations'];

/** Files that pages have linked to. */
const linked = new Set<string>();

/** The sidebar: the chapters of the reference at `/docs` of the service, then the decisions. */
function sidebar() {
  const chapters = readGuides(join(ROOT, 'docs')).map(({ title, guides }) => ({
    text: capitalized(title.replace('Guides: ', '')),
    collapsed: false,
    items: guides.map(({ name, title: text }) => ({ text, link: `/${name}` })),
  }));
  const decisions = readGuides(join(ROOT, 'docs', 'decisions')).flatMap(({ guides }) => guides);
  return [
    {
      text: 'stayd',
      items: [
        { text: 'What it is', link: '/' },
        { text: 'Changes', link: '/changelog' },
      ],
    },
    ...chapters,
    {
      text: 'Decisions',
      collapsed: true,
      items: decisions.map(({ name, title: text }) => ({ text, link: `/decisions/${name}` })),
    },
  ];
}

const capitalized = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);

type MarkdownIt = Parameters<NonNullable<MarkdownOptions['config']>>[0];

/** Where pages of the source stand in the site. */
const PLACES: readonly (readonly [from: RegExp, to: string])[] = [
  [/^README$/, ''],
  [/^CHANGELOG$/, 'changelog'],
  [/^CONTRIBUTING$/, 'contributing'],
  [/^SECURITY$/, 'reporting'],
  [/^docs\//, ''],
];

function placeOf(page: string): string {
  const [from, to] = PLACES.find(([pattern]) => pattern.test(page)) ?? [/^/, ''];
  return page.replace(from, to);
}

/**
 * Leads links between pages to their places in the site, and links to other files to copies of them. Of a link to a folder,
 * which a site has no page for, the words stay.
 */
function followLinks(md: MarkdownIt): void {
  md.core.ruler.push('places', (state) => {
    const from = dirname(relative(ROOT, state.env.realPath ?? state.env.path));
    for (const { children } of state.tokens) {
      children?.forEach((token, index) => {
        const href = token.attrGet('href');
        if (token.type !== 'link_open' || href === null || /^([a-z]+:|#)/.test(href)) return;
        const [path = '', ...anchor] = href.split(/(?=#)/);
        const file = posix.normalize(posix.join(from, path));
        if (file.endsWith('.md')) {
          token.attrSet('href', `/${placeOf(file.slice(0, -'.md'.length))}${anchor.join('')}`);
        } else if (statSync(join(ROOT, file)).isDirectory()) {
          const end = children.findIndex(({ type }, at) => at > index && type === 'link_close');
          for (const part of [token, children[end]])
            if (part) Object.assign(part, { type: 'text', content: '', nesting: 0 });
        } else {
          linked.add(file);
          token.attrSet('href', `/${FILES}/${file}`);
          token.attrSet('target', '_blank');
        }
      });
    }
  });
}

/** Shows the placeholders of templates as they are written; a page would otherwise take them for its own. */
function keepBraces(md: MarkdownIt): void {
  for (const rule of ['text', 'code_inline'] as const) {
    const render = md.renderer.rules[rule];
    md.renderer.rules[rule] = (...given) => (render?.(...given) ?? '').replaceAll('{{', '&#123;&#123;');
  }
}

export default defineConfig({
  title: 'stayd',
  description: 'Rental management that you run yourself, and a mirror of it in SQL.',
  lang: 'en',
  srcDir: ROOT,
  outDir: join(ROOT, 'dist.site'),
  cacheDir: join(ROOT, 'dist.site.cache'),
  srcExclude: readdirSync(ROOT, { withFileTypes: true })
    .filter((one) => one.isDirectory() && !PAGES.includes(one.name))
    .map(({ name }) => `${name}/**`),
  rewrites: (page) => `${placeOf(page.replace(/\.md$/, '')) || 'index'}.md`,
  cleanUrls: true,
  vite: { build: { chunkSizeWarningLimit: 5_000 } },
  metaChunk: true,
  markdown: {
    anchor: { slugify: headingAnchor },
    config(md) {
      followLinks(md);
      keepBraces(md);
    },
  },
  themeConfig: {
    search: { provider: 'local' },
    sidebar: sidebar(),
    outline: { level: [2, 3] },
  },
  buildEnd({ outDir }) {
    for (const file of linked) {
      const target = join(outDir, FILES, file);
      mkdirSync(dirname(target), { recursive: true });
      copyFileSync(join(ROOT, file), target);
    }
  },
});
