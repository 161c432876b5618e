import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { inspect } from 'node:util';
import { startTestService, type TestService } from '../support/service.ts';

/** A reservation far ahead. */
const BOOKED = {
  check_in_date: new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10),
  check_out_date: new Date(Date.now() + 32 * 86_400_000).toISOString().slice(0, 10),
  guest_name: 'Ada',
  number_of_guests: 1,
  rate_amount: 100,
  commission_amount: 0,
  received_amount: 0,
};

describe('secrets in addresses, and the log', () => {
  let service: TestService;
  const lines: string[] = [];
  const secrets = new Map<string, string>();
  const write = (fields: object, message: string) => void lines.push(`${message} ${inspect(fields, { depth: null })}`);
  const visit = async (path: string, init: RequestInit = {}) =>
    (await fetch(`${service.url}${path}`, { redirect: 'manual', ...init })).status;
  const lastPart = (url: string) => String(url.split('/').at(-1));

  before(async () => {
    service = await startTestService({}, { log: { debug: write, info: write, warn: write, error: write } });
    await service.v3('POST', '/properties', { name: 'Sea House' });
    const { staff_id } = await service.v3('POST', '/staffs', { name: 'Mia Clean', mobile: '+49 1701234567' });
    secrets.set('work', lastPart((await service.portal('POST', '/portal/staff_links', { staff_id })).url));
    secrets.set('share', lastPart((await service.v3('POST', '/calendar_share_links', { scope: 'entire' })).url));
    const draft = { property_id: (await service.v3('GET', '/properties')).properties[0].id, name: 'Phone' };
    const { calendar_url } = await service.portal('POST', '/portal/feeds', draft);
    secrets.set('feed', lastPart(calendar_url).replace('.ics', ''));
    const { reservation_code } = await service.v3('POST', '/reservations', {
      ...BOOKED,
      property_id: draft.property_id,
    });
    const page = `/portal/reservations/${reservation_code}/guest_page`;
    secrets.set('stay', lastPart((await service.portal('POST', page, {})).url));
    const pages = { name: 'Sea', property_ids: [draft.property_id] };
    secrets.set('book', lastPart((await service.portal('POST', '/portal/booking_pages', pages)).url));
    secrets.set('invitation', (await service.portal('POST', '/portal/invites', {})).secret);
    for (const secret of secrets.values()) assert.match(secret, /^[\w-]{32,}$/);
  });
  after(() => service.remove());

  /** Opens everything that a token opens, whole and cut short. */
  async function visitAll(
    password: string,
  ): Promise<Record<'work' | 'marked' | 'share' | 'feed' | 'stay' | 'wrote' | 'book' | 'invitation', number>> {
    const of = (name: string) => String(secrets.get(name));
    const form = new URLSearchParams({ secret: of('invitation'), login: 'ada', password });
    const own = { origin: service.url, 'sec-fetch-site': 'same-origin' };
    await visit(`/work/${of('work')}x`);
    await visit(`/share/${of('share')}x?month=nonsense`);
    return {
      work: await visit(`/work/${of('work')}`),
      marked: await visit(`/work/${of('work')}/mark`, { method: 'POST', body: new URLSearchParams({ id: '1' }) }),
      share: await visit(`/share/${of('share')}`),
      feed: await visit(`/feeds/${of('feed')}.ics`),
      stay: await visit(`/stay/${of('stay')}`),
      wrote: await visit(`/stay/${of('stay')}/message`, { method: 'POST', body: new URLSearchParams({ text: 'Hi' }) }),
      book: await visit(`/book/${of('book')}`),
      invitation: await visit('/console/welcome', { method: 'POST', body: form, headers: own }),
    };
  }

  function secretsInLog(): string[] {
    const log = lines.join('\n');
    return [...secrets].filter(([, secret]) => log.includes(secret)).map(([name]) => name);
  }

  it('holds no token of a page for people, nor an invitation, when they are opened', async () => {
    const good = { work: 200, share: 200, feed: 200, stay: 200, book: 200 };
    assert.deepEqual(await visitAll('too short'), { ...good, marked: 422, wrote: 422, invitation: 422 });
    assert.deepEqual(secretsInLog(), []);
  });

  it('holds none of them either when the database fails at that very moment', async () => {
    const tables = ['staff_links', 'calendar_share_links', 'feeds', 'guest_pages', 'booking_pages', 'invites'];
    for (const table of tables) await service.run(`alter table core.${table} rename to gone_${table}`);
    lines.length = 0;
    const pages = { work: 500, marked: 500, share: 500, feed: 500, stay: 500, wrote: 500, book: 500 };
    const failed = { ...pages, invitation: 500 };
    assert.deepEqual(await visitAll('seventeen quiet herons'), failed);
    assert.match(lines.join('\n'), /could not be made[\s\S]*no such table/, 'the log tells of the failure');
    assert.deepEqual(secretsInLog(), []);
    for (const table of tables) await service.run(`alter table core.gone_${table} rename to ${table}`);
  });
});
