import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BrowserContext, chromium, type Page } from 'playwright-core';

/** The shell shows the same pages without the frame of a browser around them, in two thirds of the time. */
const CHROMIUM = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((file) => existsSync(file));
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Where pictures of pages are left for people to look at. */
const PICTURES = fileURLToPath(new URL('../../.cache/pictures/', import.meta.url));
export const WIDTHS = [360, 768, 1_280] as const;
/** The longest that opening or closing a page may take; these acts of the browser know no limit of their own. */
const TAB_LIMIT_MS = 30_000;

/** A browser of its own, with what went wrong on its pages. */
export interface Pages {
  /** A browser of a person: own cookies. */
  person(options?: { locale?: string; javaScriptEnabled?: boolean }): Promise<BrowserContext>;
  /** Breaches of the content policy, dialogs, messages on the console, and requests to elsewhere. */
  readonly problems: string[];
  close(): Promise<void>;
}

export async function openPages(origin: string): Promise<Pages> {
  const browser = await chromium.launch({
    ...(CHROMIUM !== undefined && { executablePath: CHROMIUM }),
    args: ['--no-sandbox', '--disable-background-networking', '--disable-gpu'],
  });
  const problems: string[] = [];
  return {
    problems,
    async person({ locale = 'en-GB', javaScriptEnabled = true } = {}) {
      const context = await openedAtLast(
        () => browser.newContext({ locale, javaScriptEnabled, viewport: { width: 1_280, height: 900 } }),
        'a browser of a person',
      );
      const newPage = context.newPage.bind(context);
      context.newPage = async () => {
        const page = await openedAtLast(newPage, 'a page');
        const close = page.close.bind(page);
        page.close = (options) => within(close(options), 'closing a page').catch(saidOnly);
        return page;
      };
      context.on('console', (message) => {
        // A page that is refused is said to be refused; that is no fault of its.
        if (!/the server responded with a status of 4\d\d/.test(message.text())) problems.push(message.text());
      });
      context.on('weberror', (error) => problems.push(error.error().message));
      context.on('dialog', (dialog) => {
        problems.push(`dialog ${dialog.message()}`);
        void dialog.dismiss();
      });
      context.on('request', (request) => {
        const url = request.url();
        // The same service by its name.
        const isOurs = url.startsWith(origin) || url.startsWith(origin.replace('127.0.0.1', 'localhost'));
        if (!isOurs && !url.startsWith('data:')) problems.push(`asked for ${url}`);
      });
      return context;
    },
    close: () => browser.close(),
  };
}

/** Asks once more when the browser leaves it unanswered, as it rarely does on a busy machine. */
async function openedAtLast<Opened>(open: () => Promise<Opened>, what: string): Promise<Opened> {
  const first = await within(open(), what).catch(saidOnly);
  return first ?? within(open(), what);
}

class Unanswered extends Error {}

/** Leaves behind what the browser did not answer; every other error stays one. */
function saidOnly(error: unknown): undefined {
  if (!(error instanceof Unanswered)) throw error;
  console.log(error.message);
}

/** @throws {Unanswered} when the browser has not answered within the limit */
function within<Value>(answer: Promise<Value>, what: string): Promise<Value> {
  return new Promise((resolve, reject) => {
    const limit = setTimeout(() => reject(new Unanswered(`the browser did not answer: ${what}`)), TAB_LIMIT_MS);
    answer.then(resolve, reject).finally(() => clearTimeout(limit));
  });
}

/**
 * Everything on a page that a machine can tell to be in somebody's way, by axe, at each width, light and dark; and a
 * picture of each.
 * @param byAxe false where the same page was judged by axe already: only what is too wide is found then, in one of the looks
 */
export async function obstaclesOn(page: Page, name: string, { byAxe = true } = {}): Promise<string[]> {
  const found: string[] = [];
  mkdirSync(PICTURES, { recursive: true });
  for (const width of WIDTHS) {
    for (const colorScheme of byAxe ? (['light', 'dark'] as const) : (['light'] as const)) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: join(PICTURES, `${name}-${width}-${colorScheme}.png`), fullPage: true });
      const ids = byAxe ? await judgedByAxe(page) : [];
      const wider: number = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      found.push(...ids.map((id) => `${name} ${width} ${colorScheme}: ${id}`));
      if (wider > 0) {
        const out: string = await page.evaluate(
          '[...document.querySelectorAll("main *")].findLast((one) => one.getBoundingClientRect().right > innerWidth)?.outerHTML.slice(0, 200)',
        );
        found.push(`${name} ${width}: ${wider} pixels wider than the window: ${out}`);
      }
    }
  }
  return found;
}

async function judgedByAxe(page: Page): Promise<string[]> {
  // By the debugging protocol, which the page's content policy does not bind; once for all looks of a page.
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(AXE);
  return page.evaluate(
    `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ': ' + nodes[0].html + ' ' + nodes[0].failureSummary))`,
  );
}

export function hasChromium(): boolean {
  return CHROMIUM !== undefined;
}
