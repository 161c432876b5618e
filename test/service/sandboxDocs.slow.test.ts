import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { sandboxRoutes } from '../../src/api/portal/sandbox/routes.ts';
import { call, startTestService, type TestService } from '../support/service.ts';

const PAGE = readFileSync(new URL('../../docs/sandbox.md', import.meta.url), 'utf8');

interface Documented {
  path: string;
  body: string;
  isV3: boolean;
  /** Which variable of the shell gets what of the answer. */
  variable: string | undefined;
  of: string[];
}

/** Every curl of the page, in its order. */
function documented(): Documented[] {
  const curl =
    /^(?:(\w+)=\$\()?curl -s \$URL(\/\S+) -H "([\w-]+): \$\w+" -H 'content-type: application\/json' \\\n\s+-d '(\{.*?\})'(?: \| node -p 'JSON\.parse\(fs\.readFileSync\(0\)\)\.([\w.]+)'\))?$/gms;
  return [...PAGE.matchAll(curl)].map(([, variable, path = '', header, body = '', of = '']) => ({
    path,
    body,
    isV3: header === 'Service-Access-Token',
    variable,
    of: of.split('.'),
  }));
}

describe('docs/sandbox.md', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService();
  });
  after(() => service.remove());

  it('shows every action, and each curl works as written, one after the other', async () => {
    const curls = documented();
    assert.equal(curls.length, PAGE.split('curl -s ').length - 1, 'every curl of the page is read');
    const variables = new Map<string, string>();
    const filled = (text: string) =>
      text.replaceAll(
        /'?\$([A-Z]+)'?/g,
        (_whole, name: string) => variables.get(name) ?? assert.fail(`${name} is unset`),
      );
    for (const { path, body, isV3, variable, of } of curls) {
      const options = { body: JSON.parse(filled(body)) as unknown, ...(isV3 && { token: service.token }) };
      const answer = await call(service, 'POST', filled(path), options);
      assert.equal(answer.http, 200, `${path} ${body}: ${answer.text}`);
      if (isV3) assert.equal(answer.json.error_code, 200, answer.text);
      if (variable === undefined) continue;
      const value = of.reduce((inside, name) => inside[name], answer.json) as string | number | undefined;
      assert.ok(value !== undefined, `${path} answers ${of.join('.')}`);
      variables.set(variable, String(value));
    }
    const shown = new Set(curls.map(({ path }) => path.replace('$CHANNEL', ':channel_account_id')));
    const actions = sandboxRoutes.filter(({ long, method }) => !long && method !== 'GET').map(({ path }) => path);
    assert.deepEqual(
      actions.filter((path) => !shown.has(path)),
      [],
    );
    await service.settled();
    // Of deposits, details and what happens on the marketplace itself no event tells.
    await service.portal('POST', '/portal/reconcile', {});
    const report = await service.portal('POST', '/portal/verify', {});
    assert.equal(report.clean, true, JSON.stringify(report));
  });
});
