import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../src/kernel/program/packageRoot.ts';

/** A block of commands on a page of the documentation. */
export interface Fence {
  page: string;
  /** Of its first command. */
  line: number;
  text: string;
  /** It needs what a test has not, such as Docker: it is looked at, and not run. */
  isElsewhere: boolean;
}

const FENCE = /^```sh( elsewhere)?\n([\s\S]*?)^```$/gm;

/** README and the pages of docs/ that hold commands, each with its blocks in their order. */
export function pagesWithCommands(): Map<string, Fence[]> {
  const root = packageRoot();
  const docs = readdirSync(join(root, 'docs')).filter((file) => file.endsWith('.md'));
  const pages = ['README.md', ...docs.map((file) => `docs/${file}`)];
  const all = pages.map((page) => [page, fencesIn(page, readFileSync(join(root, page), 'utf8'))] as const);
  return new Map(all.filter(([, fences]) => fences.length > 0));
}

function fencesIn(page: string, text: string): Fence[] {
  return [...text.matchAll(FENCE)].map((match) => ({
    page,
    line: text.slice(0, match.index).split('\n').length + 1,
    text: match[2] ?? '',
    isElsewhere: match[1] !== undefined,
  }));
}
