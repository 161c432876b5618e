import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { allTools } from '../../../src/api/mcp/tools.ts';
import { startCore, type TestCore } from '../../support/core.ts';
import { callTool, envelopeOf, mcpClient, modernRequest } from '../../support/mcp.ts';

const ASKABLE = { elicitation: { form: {} } };

describe('tools, as a model meets them', () => {
  let core: TestCore;
  let url: string;
  let property: number;
  let code: string;
  before(async () => {
    core = await startCore();
    url = await core.app.listen({ port: 0, host: '127.0.0.1' });
    property = (await core.call('createProperty', { title: 'Sea House' })).property_id;
    const booking = { guest_name: 'Ann Berg', rate_amount: 300, commission_amount: 0, received_amount: 0 };
    const dates = { check_in_date: '2027-03-05', check_out_date: '2027-03-08' };
    code = (await core.call('createReservation', { property_id: property, ...booking, ...dates })).reservation_code;
  });
  after(() => core.close());

  const call = async (name: string, args: Record<string, unknown>) => {
    const params = { name, arguments: args };
    const { body } = await modernRequest(url, 'tools/call', params, { token: core.own.token, capabilities: {} });
    return body.result;
  };
  const question = async (name: string, args: Record<string, unknown>): Promise<string> => {
    const params = { name, arguments: args };
    const { body } = await modernRequest(url, 'tools/call', params, { token: core.own.token, capabilities: ASKABLE });
    return body.result.inputRequests?.confirm.params.message ?? assert.fail(JSON.stringify(body));
  };

  it('all 72 are there for a client that asks for the list once', async () => {
    const { body } = await modernRequest(url, 'tools/list', {}, { token: core.own.token, capabilities: {} });
    assert.equal(body.result.tools.length, 72);
    assert.equal(body.result.nextCursor, undefined);
  });

  it('refuse an argument that they do not know, by its name, and say which they take', async () => {
    for (const [name, args, unknown] of [
      ['search_reservations', { guest: 'Ann' }, 'guest'],
      ['search_properties', { city: 'Rome' }, 'city'],
      ['update_task', { id: 1, assignee: 'Eve' }, 'assignee'],
      ['delete_task', { id: 1, why: 'x' }, 'why'],
    ] as const) {
      const { isError, content, structuredContent } = await call(name, args);
      assert.equal(isError, true);
      assert.equal(structuredContent.error_code, 422, content[0].text);
      assert.match(content[0].text, new RegExp(`${unknown}: not a field`));
      assert.match(content[0].text, /it takes .*\bid\b/);
    }
    for (const { definition } of allTools().values()) {
      assert.equal(definition.inputSchema['additionalProperties'], false, definition.name);
    }
  });

  it('take lists of ids in one form, whatever the endpoint takes', async () => {
    const range = { start_date: '2027-03-01', end_date: '2027-03-10' };
    for (const property_ids of [[property], `${property}`]) {
      const { structuredContent } = await call('search_availabilities', { property_ids, ...range });
      assert.equal(structuredContent.data.properties?.[0]?.id, property);
    }
    const lists = [...allTools().values()].flatMap(({ definition }) =>
      Object.entries(definition.inputSchema.properties ?? {}).filter(([name]) => /_ids$|^channel_types$/.test(name)),
    );
    assert.ok(lists.length >= 8);
    for (const [name, schema] of lists) assert.equal((schema as { type: string }).type, 'array', name);
  });

  it('answer a short text, and all of it as structured content', async () => {
    const found = await call('search_reservations', { reservation_code: code });
    assert.equal(found.content[0].text, 'Done. 1 of 1 reservations; see structuredContent.');
    assert.equal(found.structuredContent.data.reservations[0].guest_name, 'Ann Berg');
    const made = await call('create_property', { title: 'Mill' });
    assert.equal(made.content[0].text, `Done. property_id ${made.structuredContent.data.property_id}.`);
    const noted = await call('update_reservation_basic', { stay_code: code, remarks: 'late' });
    assert.equal(noted.content[0].text, 'Done.');
  });

  it('answer everything as text to a client of a revision that knows no structured content', async () => {
    const request = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'search_properties', arguments: {} },
    };
    const answer = await fetch(new URL('/mcp', url), {
      method: 'POST',
      headers: {
        authorization: `Bearer ${core.own.token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify(request),
    });
    const text = await answer.text();
    const message = JSON.parse(text.slice(text.indexOf('{')));
    assert.equal(JSON.parse(message.result.content[0].text).data.properties[0].name !== undefined, true);
  });

  it('ask with what it is about: guest, dates, property, amount', async () => {
    const cancel = await question('cancel_reservation', { reservation_code: code });
    for (const part of ['Ann Berg', '2027-03-05', '2027-03-08', 'Sea House', '300.00 EUR', 'accepted', code]) {
      assert.ok(cancel.includes(part), `${part} in ${cancel}`);
    }
    const move = await question('allocate_reservation', { stay_code: code, property_id: property });
    assert.match(move, /stay_code: .*Ann Berg/);
    assert.match(move, /property_id: \d+ \("Sea House"\)/);
    const entry = await core.call('createTransaction', {
      direction: 'income',
      amount: 10.5,
      currency: 'EUR',
      item_id: (await core.call('listIncomeItems', {})).income_items[0].id,
      payment_method_id: (await core.call('listIncomeMethods', {})).income_methods[0].id,
      action_at: '2026-11-20T12:00:00Z',
    });
    const removal = await question('delete_transaction', { id: entry.transaction_id });
    assert.match(removal, /10\.50 EUR/);
  });

  it('ask with every argument in full, and with nothing that a reader does not see', async () => {
    const long = `x${'y'.repeat(5_000)}z`;
    assert.ok(
      (await question('update_reservation_basic', { stay_code: code, guest_name: 'A', remarks: 'r' })).length > 0,
    );
    const task = { type: 'cleaning', expected_date: '2027-01-01', currency: 'EUR' };
    const shown = await question('create_knowledge_base', { content: long, title: 'T' });
    assert.ok(shown.includes(long));
    const hidden = await question('create_task', { ...task, note: 'ok\u202Egnp\u200B\u2066 \u0007\nend' });
    assert.match(hidden, /note: "ok\\u202egnp\\u200b\\u2066 \\u0007\\nend"/);
    await core.call('createProperty', { title: 'Evil\u202E house' });
    const image = await question('send_message', { conversation_id: 'c', jpeg_base64: 'A'.repeat(4_000) }).catch(
      () => '',
    );
    assert.ok(image === '' || image.length < 1_000);
  });

  it('say where ids come from, and what a stay code is', () => {
    const described = (tool: string, name: string) => {
      const schema = allTools().get(tool)?.definition.inputSchema.properties?.[name] as { description?: string };
      return String(schema.description);
    };
    assert.match(described('update_reservation_basic', 'stay_code'), /one room.*search_reservations/s);
    assert.match(described('cancel_reservation', 'reservation_code'), /whole.*search_reservations/s);
    assert.match(described('create_task', 'property_id'), /search_properties/);
    assert.match(described('update_listing_prices', 'channel_type'), /marketplace_a.*booking_site/s);
    assert.match(described('update_listing_prices', 'listing_id'), /search_listings/);
    assert.match(described('create_task', 'staff_id'), /search_staffs/);
    for (const { definition } of allTools().values()) {
      for (const [name, schema] of Object.entries(definition.inputSchema.properties ?? {})) {
        if (!/(_id|_code|_ids)$/.test(name)) continue;
        assert.ok((schema as { description?: string }).description, `${definition.name}.${name} has no description`);
      }
    }
  });

  it('the official client validates what they answer', async () => {
    const client = await mcpClient(url, { token: core.own.token });
    await client.listTools();
    const { data } = envelopeOf(await callTool(client, 'search_reservations', { property_id: property }));
    assert.equal(data.reservations.length, 1);
    await client.close();
  });
});
