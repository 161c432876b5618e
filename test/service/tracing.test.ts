import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { serviceLogger } from '../../src/compose/log/serviceLog.ts';
import { loadConfig } from '../../src/config.ts';
import { LogLevels } from '../../src/kernel/log.ts';
import { freePort } from '../support/port.ts';
import { call, dataDirectory, startTestService, type TestService, until } from '../support/service.ts';
import { type CollectedSpan, type Collector, startCollector } from './support/collector.ts';

const CANARY = 'Ada-Canary-4711';
const BOOKED = {
  check_in_date: new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10),
  check_out_date: new Date(Date.now() + 32 * 86_400_000).toISOString().slice(0, 10),
  guest_name: CANARY,
  number_of_guests: 1,
  rate_amount: 100,
  commission_amount: 0,
  received_amount: 0,
};
const HEADER_SECRET = 'collector-secret-0815';

describe('traces', () => {
  let collector: Collector;
  let service: TestService;
  let text = '';
  before(async () => {
    collector = await startCollector();
    const log = serviceLogger(new LogLevels('info,access=debug'), { write: (line: string) => void (text += line) });
    service = await startTestService(
      { STAYD_TRACING_ENDPOINT: collector.url, STAYD_TRACING_HEADERS: `x-collector=${HEADER_SECRET}` },
      { log },
    );
    await service.settled();
  });
  after(async () => {
    await service.remove();
    await collector.close();
  });

  const spanOf = async (what: string, isIt: (span: CollectedSpan) => boolean): Promise<CollectedSpan> => {
    await until(
      () => collector.spans.some(isIt),
      () => `${what} among ${JSON.stringify(collector.spans.slice(-40).map(({ name }) => name))}`,
    );
    const found = collector.spans.find(isIt);
    assert.ok(found);
    return found;
  };
  /** The names from a span up to the first of its trace. */
  const wayTo = (span: CollectedSpan): string[] => {
    const parent = collector.spans.find(({ spanId }) => spanId === span.parentSpanId);
    return parent ? [...wayTo(parent), span.name] : [span.name];
  };

  it('lead from one booking to its row in the mirror', async () => {
    await service.v3('POST', '/properties', { name: CANARY });
    const { properties } = await service.v3('GET', '/properties');
    await service.settled();
    const answer = await call(service, 'POST', '/v3/reservations', {
      token: service.token,
      body: { ...BOOKED, property_id: properties[0].id },
    });
    assert.equal(answer.json.error_code, 200, answer.text);
    await service.settled();
    const traceId = String(answer.headers.get('traceresponse')).split('-')[1];
    const apply = await spanOf(
      'the apply',
      (one) => one.traceId === traceId && one.name === 'apply' && one.attributes['stayd.resource'] === 'reservation',
    );
    const first = await spanOf('the request', (one) => one.traceId === traceId && one.parentSpanId === '');
    await until(
      () => wayTo(apply)[0] === first.name,
      () => `the whole way: ${wayTo(apply).join(' > ')}`,
    );
    const [booked, delivered, received, ...rest] = wayTo(apply);
    assert.deepEqual([booked, delivered], ['POST /v3/reservations', 'deliver webhook']);
    assert.match(String(received), /^POST \/hooks\/:connection/);
    assert.match(rest.join(' > '), /^read keys? > apply$/);
    assert.deepEqual(
      [first.name, first.kind, first.isFailed, first.attributes['http.route']],
      ['POST /v3/reservations', 2, false, '/v3/reservations'],
    );
    assert.equal(first.attributes['stayd.request_id'], answer.json.request_id);
    // The daemon's question and the core's answer to it are part of the same.
    const asked = await spanOf('the question', (one) => one.traceId === traceId && one.kind === 3);
    await spanOf('its answer', (one) => one.kind === 2 && one.parentSpanId === asked.spanId);
  });

  it('continue the trace of a caller, and stand in the log', async () => {
    text = '';
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const { headers } = await call(service, 'DELETE', `/v3/reservations/${CANARY}`, {
      token: service.token,
      headers: { traceparent },
    });
    assert.match(String(headers.get('traceresponse')), /^00-0af7651916cd43dd8448eb211c80319c-[0-9a-f]{16}-01$/);
    const span = await spanOf('the span', (one) => one.parentSpanId === 'b7ad6b7169203331');
    assert.deepEqual(
      [span.name, span.attributes['stayd.error_code'], span.attributes['http.response.status_code'], span.isFailed],
      ['DELETE /v3/reservations/:reservation_code', 404, 200, false],
    );
    const line = text.split('\n').find((one) => one.includes('"access"'));
    assert.equal(JSON.parse(line ?? '{}').trace_id, '0af7651916cd43dd8448eb211c80319c');
  });

  it('name the service, come with the configured header, and hold nothing of people, secrets and callers', async () => {
    const hostile = { traceparent: `00-${CANARY}`, tracestate: CANARY, 'user-agent': CANARY, baggage: `a=${CANARY}` };
    for (const path of [
      `/v3/${CANARY}`,
      `/hooks/${CANARY}`,
      `/portal/${CANARY}`,
      `/mirror/${CANARY}`,
      '/mcp',
      '/v3/tags',
    ]) {
      for (const method of ['GET', 'POST']) {
        await call(service, method, `${path}?q=${CANARY}`, {
          token: CANARY,
          headers: { ...hostile, authorization: `Bearer ${CANARY}` },
          ...(method === 'POST' && { body: { name: CANARY } }),
        });
      }
    }
    await spanOf('the last', ({ name }) => name === 'POST /mcp');
    const all = collector.text();
    for (const secret of [CANARY, service.token, service.secret, '127.0.0.1:0', '?q='])
      assert.ok(!all.includes(secret), secret);
    assert.ok(!text.includes(HEADER_SECRET));
    assert.equal(collector.heads[0]?.['x-collector'], HEADER_SECRET);
    assert.deepEqual([collector.heads[0]?.['method'], collector.heads[0]?.['url']], ['POST', '/v1/traces']);
    assert.equal(collector.resources[0]?.['service.name'], 'stayd');
  });

  it('that nobody takes are counted and said once, and slow nothing', async () => {
    await service.stop();
    const port = await freePort();
    text = '';
    await service.restart({ STAYD_TRACING_ENDPOINT: `http://127.0.0.1:${port}` });
    const dropped = async () =>
      Number(
        /^stayd_tracing_dropped_spans_total (\d+)$/m.exec((await call(service, 'GET', '/metrics')).text)?.[1] ?? 0,
      );
    await until(async () => (await dropped()) > 0, 'dropped spans', 60_000);
    const before = performance.now();
    for (let i = 0; i < 20; i += 1) await service.v3('GET', '/properties');
    assert.ok(performance.now() - before < 10_000);
    const known = await dropped();
    await until(async () => (await dropped()) > known, 'more of them', 60_000);
    assert.equal(text.match(/takes no spans/g)?.length, 1, text);
  });
});

describe('without a collector', () => {
  it('nothing of the library is loaded, and no header is sent', async () => {
    const dir = dataDirectory();
    const program = `
      import { createRequire } from 'node:module';
      import { loadConfig } from './src/config.ts';
      import { startService } from './src/compose.ts';
      import { silentLogger } from './src/kernel/log.ts';
      const service = await startService(loadConfig({ STAYD_PORT: '0', STAYD_DATA_DIR: ${JSON.stringify(dir)} }), { log: silentLogger });
      const answer = await fetch(service.url + '/v3/properties', { headers: { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' } });
      const loaded = Object.keys(createRequire(import.meta.url).cache).filter((file) => file.includes('@opentelemetry'));
      const names = [...new Set(loaded.map((file) => /@opentelemetry\\/([^/]+)/.exec(file)[1]))];
      console.log(JSON.stringify({ names, traceresponse: answer.headers.get('traceresponse') }));
      await service.stop();
    `;
    const args = ['--import', 'tsx', '--input-type=module', '--eval', program];
    const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 120_000 });
    // The library of metrics loads the words of the standard by itself.
    assert.deepEqual(JSON.parse(stdout), { names: ['api'], traceresponse: null });
  });
});

describe('the settings of traces', () => {
  it('come from stayd’s own variables, and from the standard ones beneath', () => {
    const standard = {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.example:4318',
      OTEL_SERVICE_NAME: 'rooms',
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.25',
    };
    const { tracing } = loadConfig(standard);
    assert.deepEqual(tracing, {
      endpoint: 'http://collector.example:4318',
      headers: null,
      sample_ratio: 0.25,
      service_name: 'rooms',
      propagate: false,
    });
    assert.equal(loadConfig({ ...standard, STAYD_TRACING_SERVICE_NAME: 'own' }).tracing.service_name, 'own');
    assert.equal(loadConfig({ ...standard, OTEL_SDK_DISABLED: 'true' }).tracing.endpoint, null);
    assert.equal(loadConfig({}).tracing.endpoint, null);
    assert.throws(
      () => loadConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: 'grpc://collector' }),
      /environment variable OTEL_EXPORTER_OTLP_ENDPOINT: tracing\.endpoint: must be an address/,
    );
  });
});
