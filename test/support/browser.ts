import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { describe, test } from 'node:test';
import type { Readable, Writable } from 'node:stream';

const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];
const ANSWER_LIMIT_MS = 30_000;

/** The browser of this machine, or undefined when none is installed. */
function findChromium(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find((file) => existsSync(file));
}

/**
 * `describe` for tests that need a browser. Where none is installed one line says what was not run; in CI that is
 * a failure.
 */
export function describeInBrowser(name: string, body: () => void): void {
  if (findChromium() !== undefined) {
    describe(name, body);
    return;
  }
  console.log(`no chromium on the PATH: "${name}" was not run`);
  test(`${name}: may be left out on this machine`, () => {
    assert.equal(process.env['CI'], undefined, 'CI needs chromium, and there is none on the PATH');
  });
}

type Fields = Record<string, any>;

/** What happened in a page beside being shown. */
export interface PageRecord {
  /** Breaches of its content policy, as the browser tells them. */
  violations: string[];
  /** Scripts that ran: dialogs they opened, messages they left. */
  executions: string[];
  /** Addresses that were asked for, the page's own first. */
  requests: string[];
}

export interface Tab {
  readonly record: PageRecord;
  /** Shows an address and waits until it is loaded. */
  open(url: string): Promise<void>;
  /** The value of an expression in the page, whatever its content policy. */
  evaluate(expression: string): Promise<any>;
  /** The page as a picture (PNG), as wide as asked for. */
  picture(width: number, options?: { height?: number; dark?: boolean; whole?: boolean }): Promise<Buffer>;
  /** Pretends a window of this size. */
  resize(width: number, height: number): Promise<void>;
  prefersDark(dark: boolean): Promise<void>;
}

export interface Browser {
  newTab(): Promise<Tab>;
  close(): Promise<void>;
}

/** A headless browser of its own, driven over two pipes; close it in `after()`. */
export async function startBrowser(): Promise<Browser> {
  const program = findChromium();
  if (program === undefined) throw new Error('these tests need chromium, and there is none on the PATH');
  const profile = mkdtempSync(join(tmpdir(), 'stayd-browser-'));
  const child = spawn(
    program,
    [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--no-first-run',
      '--disable-extensions',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--hide-scrollbars',
      // Nothing outside this machine is asked, whatever a page wants.
      '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
      `--user-data-dir=${profile}`,
      '--remote-debugging-pipe',
      'about:blank',
    ],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] },
  );
  const wire = wireOf(child);
  return {
    newTab: () => openTab(wire),
    async close() {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      await wire.send('Browser.close').catch(() => child.kill('SIGKILL'));
      await gone;
      rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
}

interface Wire {
  send(method: string, params?: Fields, sessionId?: string): Promise<Fields>;
  on(sessionId: string, listener: (method: string, params: Fields) => void): void;
}

/** The browser's debugging protocol: JSON texts, each ended by a zero byte. */
function wireOf(child: ChildProcess): Wire {
  const out = child.stdio[3] as Writable;
  const input = child.stdio[4] as Readable;
  const waiting = new Map<number, { resolve(value: Fields): void; reject(error: Error): void }>();
  const listeners = new Map<string, (method: string, params: Fields) => void>();
  let last = 0;
  let rest = '';
  const fail = (why: string) => {
    for (const { reject } of waiting.values()) reject(new Error(why));
    waiting.clear();
  };
  child.once('exit', () => fail('the browser has ended'));
  child.once('error', (error) => fail(error.message));
  input.setEncoding('utf8').on('data', (text: string) => {
    const messages = (rest + text).split('\0');
    rest = messages.pop() ?? '';
    for (const message of messages) hear(JSON.parse(message) as Fields);
  });
  function hear({ id, method, params, result, error, sessionId }: Fields): void {
    if (id === undefined) return listeners.get(sessionId)?.(method, params);
    const call = waiting.get(id);
    waiting.delete(id);
    if (error) call?.reject(new Error(JSON.stringify(error)));
    else call?.resolve(result);
  }
  return {
    send(method, params = {}, sessionId) {
      last += 1;
      const id = last;
      return new Promise((resolve, reject) => {
        const limit = setTimeout(() => reject(new Error(`${method} was not answered`)), ANSWER_LIMIT_MS);
        const settle = (done: () => void) => {
          clearTimeout(limit);
          done();
        };
        waiting.set(id, {
          resolve: (value) => settle(() => resolve(value)),
          reject: (error) => settle(() => reject(error)),
        });
        out.write(`${JSON.stringify({ id, method, params, ...(sessionId && { sessionId }) })}\0`);
      });
    },
    on: (sessionId, listener) => listeners.set(sessionId, listener),
  };
}

/** How the browser says that a page went away under a question. */
const PAGE_LEFT = 'Inspected target navigated or closed';

/** Left by scripts of a test page, where they can be read. */
const LISTENER = `
  globalThis.__violations = [];
  document.addEventListener('securitypolicyviolation', (event) =>
    globalThis.__violations.push(event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sample));`;

async function openTab(wire: Wire): Promise<Tab> {
  const { targetId } = await wire.send('Target.createTarget', { url: 'about:blank' });
  const { sessionId } = await wire.send('Target.attachToTarget', { targetId, flatten: true });
  const send = (method: string, params: Fields = {}) => wire.send(method, params, sessionId);
  const record: PageRecord = { violations: [], executions: [], requests: [] };
  let loaded: () => void = () => {};
  wire.on(sessionId, (method, params) => {
    if (method === 'Page.loadEventFired') loaded();
    if (method === 'Network.requestWillBeSent') record.requests.push(params['request'].url);
    if (method === 'Runtime.consoleAPICalled') {
      record.executions.push(params['args'].map((one: Fields) => one['value']).join(' '));
    }
    if (method === 'Runtime.exceptionThrown') record.executions.push(params['exceptionDetails'].text);
    if (method === 'Page.javascriptDialogOpening') {
      record.executions.push(`dialog ${params['message']}`);
      void send('Page.handleJavaScriptDialog', { accept: true });
    }
    if (method === 'Log.entryAdded' && /security|violation/.test(params['entry'].source)) {
      record.violations.push(params['entry'].text);
    }
  });
  for (const domain of ['Page', 'Network', 'Runtime', 'Log']) await send(`${domain}.enable`);
  await send('Page.addScriptToEvaluateOnNewDocument', { source: LISTENER });

  const evaluate: Tab['evaluate'] = async (expression) => {
    const question = { expression, awaitPromise: true, returnByValue: true };
    const { result, exceptionDetails } = await send('Runtime.evaluate', question).catch((error: Error) => {
      // The page was left while it answered, as after a click on a slow machine: there is no value.
      if (!error.message.includes(PAGE_LEFT)) throw error;
      return { result: { value: undefined }, exceptionDetails: undefined };
    });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  };
  const resize: Tab['resize'] = async (width, height) => {
    await send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: width < 600 });
  };
  const prefersDark: Tab['prefersDark'] = async (dark) => {
    const features = [{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }];
    await send('Emulation.setEmulatedMedia', { features });
  };
  return {
    record,
    evaluate,
    resize,
    prefersDark,
    async open(url) {
      const done = new Promise<void>((resolve) => (loaded = resolve));
      const { errorText } = await send('Page.navigate', { url });
      if (errorText) throw new Error(`${url}: ${errorText}`);
      await done;
      record.violations.push(...(await evaluate('globalThis.__violations')));
    },
    async picture(width, { height = 900, dark = false, whole = false } = {}) {
      await resize(width, height);
      await prefersDark(dark);
      const { data } = await send('Page.captureScreenshot', { format: 'png', captureBeyondViewport: whole });
      return Buffer.from(data, 'base64');
    },
  };
}
