import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { after, before, it } from 'node:test';
import { promisify } from 'node:util';
import { packageRoot } from '../../src/kernel/program/packageRoot.ts';
import { describeInBrowser } from '../support/browser.ts';
import { openPages, type Pages } from '../support/pages.ts';

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.woff2': 'font/woff2',
};

/** The file that a web server without rules of its own would answer with; undefined: none. */
function fileAt(root: string, path: string): string | undefined {
  const plain = join(root, decodeURIComponent(path));
  return [plain, `${plain}.html`, join(plain, 'index.html')].find(
    (file) => existsSync(file) && statSync(file).isFile(),
  );
}

function serve(root: string): Promise<Server> {
  const server = createServer((asked, answer) => {
    const file = fileAt(root, new URL(asked.url ?? '/', 'http://site').pathname);
    if (file === undefined) answer.writeHead(404).end();
    else answer.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'text/plain' }).end(readFileSync(file));
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

describeInBrowser('docs/ as a site', () => {
  const root = mkdtempSync(join(tmpdir(), 'stayd-site-'));
  let server: Server;
  let pages: Pages;
  let url: string;
  let said: string;
  before(async () => {
    const vitepress = join(packageRoot(), 'node_modules', 'vitepress', 'bin', 'vitepress.js');
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      [vitepress, 'build', 'site', '--outDir', root],
      { cwd: packageRoot() },
    );
    said = stdout + stderr;
    server = await serve(root);
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    pages = await openPages(url);
  });
  after(async () => {
    await pages.close();
    server.closeAllConnections();
    server.close();
    rmSync(root, { recursive: true });
  });

  const documents = () => readdirSync(root).filter((file) => file.endsWith('.html') && file !== '404.html');

  it('is built without a complaint, from each page of docs/', () => {
    assert.doesNotMatch(said, /error|warn/i);
    const sources = readdirSync(join(packageRoot(), 'docs')).filter((file) => file.endsWith('.md'));
    const missing = sources.map((file) => file.replace(/md$/, 'html')).filter((file) => !documents().includes(file));
    assert.deepEqual(missing, []);
  });

  it('has no link that leads nowhere, to a page, a place on it or a file', () => {
    const texts = new Map<string, string>();
    const textOf = (file: string) => texts.get(file) ?? texts.set(file, readFileSync(file, 'utf8')).get(file) ?? '';
    const dead: string[] = [];
    for (const document of documents()) {
      for (const [, href = ''] of textOf(join(root, document)).matchAll(/<a [^>]*?href="([^"]*)"/g)) {
        if (/^[a-z]+:/.test(href)) continue;
        const target = new URL(href.replaceAll('&amp;', '&'), `${url}/${document}`);
        const file = fileAt(root, target.pathname);
        const anchor = decodeURIComponent(target.hash.slice(1));
        if (file === undefined) dead.push(`${document}: ${href}`);
        else if (anchor !== '' && !textOf(file).includes(`id="${anchor}"`))
          dead.push(`${document}: ${href}, the place`);
      }
    }
    assert.deepEqual(dead, []);
  });

  it('finds words on its pages, by a search of its own', async () => {
    const person = await pages.person();
    const page = await person.newPage();
    await page.goto(`${url}/commands`);
    await page.locator('.DocSearch-Button').click();
    await page.locator('#localsearch-input').fill('synchronous_mode_strict');
    await page.locator('.result').first().click();
    await page.waitForURL('**/deploy#a-database-that-may-die');
    assert.match((await page.locator('main').textContent()) ?? '', /synchronous_mode_strict/);
    await person.close();
  });

  it('shows the placeholders of templates as they are written', async () => {
    const person = await pages.person();
    const page = await person.newPage();
    await page.goto(`${url}/guest-page`);
    assert.match((await page.locator('main').textContent()) ?? '', /\{\{ stay\.guest_page_url \}\}/);
    await person.close();
    assert.deepEqual(pages.problems, []);
  });
});
