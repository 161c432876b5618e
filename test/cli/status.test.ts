import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { z } from 'zod';
import { printedStatus } from '../../src/client/status.ts';
import { startTestService } from '../support/service.ts';
import { runOne } from './support/runMany.ts';

const PAGE = new URL('../../docs/status.md', import.meta.url);
const SCHEMA = new URL('../../docs/status.schema.json', import.meta.url);

describe('status --json', () => {
  it('prints what its schema says, of a mirror with events, a trouble and a pause', async () => {
    const service = await startTestService();
    try {
      const { property_id } = await service.v3('POST', '/properties', { name: 'Sea View' });
      await service.v3('POST', '/reservations', {
        property_id,
        check_in_date: '2027-03-05',
        check_out_date: '2027-03-08',
        guest_name: 'A. Guest',
        rate_amount: 300,
        commission_amount: 0,
        received_amount: 0,
        currency: 'EUR',
      });
      await service.settled();
      await fetch(`${service.url}/hooks/local`, { method: 'POST', body: '{}' });
      await service.run("update mirror.connections set state = 'paused', reason = 'Subscription expired'");
      const status = printedStatus.parse(
        JSON.parse((await runOne(['status', '--json'], { STAYD_PORT: '0', STAYD_DATA_DIR: service.dataDir })).stdout),
      );
      const { local } = status.connections;
      assert.ok(status.core && status.alarms && local);
      assert.ok(local.inbox.done > 0 && local.feed_head > 0);
      assert.equal(local.paused?.because, 'Subscription expired');
      assert.notDeepEqual(local.refused, {});
      assert.notDeepEqual(local.loss, {});
      assert.notDeepEqual(local.coalescing, {});
    } finally {
      await service.remove();
    }
  });

  it('is described by docs/status.md and by a JSON schema, made from the same table', () => {
    const schema = z.toJSONSchema(printedStatus, { io: 'output' });
    const title = 'What `./stayd status --json` prints';
    const texts = [
      [SCHEMA, `${JSON.stringify({ ...schema, title }, null, 2)}\n`],
      [PAGE, page(schema)],
    ] as const;
    for (const [place, text] of texts) {
      if (process.env['UPDATE_DOCS']) writeFileSync(place, text);
      assert.equal(readFileSync(place, 'utf8'), text, 'run it with UPDATE_DOCS=1');
    }
  });
});

type Schema = z.core.JSONSchema.BaseSchema;

function page(schema: Schema): string {
  return `# Status

Made from \`src/client/status.ts\`; do not edit. \`./stayd status --json\` prints one object;
[status.schema.json](status.schema.json) is its JSON Schema. \`GET /portal/status\` answers it without \`accounts_…\`.
Ages are seconds, and null where nothing has happened yet. \`<…>\` stands for a name.

| field | type | meaning |
|---|---|---|
${fieldsOf(schema)
  .map(([path, type, meaning]) => `| \`${path}\` | ${type} | ${meaning} |`)
  .join('\n')}
`;
}

type Field = readonly [path: string, type: string, meaning: string];

function fieldsOf(schema: Schema, prefix = ''): Field[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, given]) => {
    const field = given as Schema;
    return [
      [`${prefix}${name}`, typeOf(field), field.description ?? ''] as const,
      ...within(field, `${prefix}${name}`),
    ];
  });
}

/** The fields below a field: of an object, of each row, of each name. */
function within(field: Schema, path: string): Field[] {
  const plain = alternativesOf(field).find(({ type }) => type === 'object' || type === 'array');
  if (!plain) return [];
  if (plain.type === 'array') return fieldsOf(plain.items as Schema, `${path}[].`);
  if (plain.properties) return fieldsOf(plain, `${path}.`);
  const value = plain.additionalProperties;
  return typeof value === 'object' ? below(value as Schema, `${path}.<…>`) : [];
}

function below(value: Schema, path: string): Field[] {
  if (value.properties) return fieldsOf(value, `${path}.`);
  return within(value, path);
}

function alternativesOf(field: Schema): Schema[] {
  return (field.anyOf as Schema[] | undefined) ?? [field];
}

function typeOf(field: Schema): string {
  const words = alternativesOf(field).map((one) => {
    if (one.enum) return one.enum.map((word) => `\`${String(word)}\``).join(', ');
    if (one.format === 'date-time') return 'instant';
    if (one.type === 'array') return 'list';
    return Array.isArray(one.type) ? one.type.join(' or ') : (one.type ?? 'any');
  });
  return words.join(' or ');
}
