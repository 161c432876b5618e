import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ConsoleWorld, startConsoleWorld } from '../../support/consoleWorld.ts';
import { type Served, type TestService, until } from '../../support/service.ts';

/** A service with a folder of rules and a marketplace whose guests write. */
export interface InboxWorld<Service extends Served = TestService> extends ConsoleWorld<Service> {
  /** The folder of the rules. */
  readonly folder: string;
  /** The listing of each property on the marketplace. */
  readonly listings: ReadonlyMap<number, string>;
  /** What the marketplace and its guests do. */
  act(path: string, body: object): Promise<any>;
  /** A guest books on the marketplace. @returns the conversation and the code */
  guest(
    name: string,
    property: number,
    inDays?: number,
  ): Promise<{ conversation_id: string; reservation_code: string }>;
  /** A guest writes, and the mirror knows it. */
  write(conversation_id: string, content: string, more?: object): Promise<void>;
  /** Returns what the host's side has said, oldest first. */
  said(conversation_id: string): Promise<string[]>;
  /** Waits for a plan of a rule about a conversation in this state. */
  plan(rule: string, conversation_id: string, state?: string): Promise<string>;
}

export async function startInboxWorld(rules: string): Promise<InboxWorld> {
  const folder = rulesFolder(rules);
  return withMarketplace(await startConsoleWorld({ STAYD_AUTOMATIONS_RULES: folder }), folder);
}

/** Writes a folder of rules for a service that is about to start. */
export function rulesFolder(rules: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'stayd-rules-'));
  writeFileSync(join(folder, 'rules.yaml'), rules);
  return folder;
}

/** Adds the marketplace to a world whose service reads its rules from that folder. */
export async function withMarketplace<Service extends Served>(
  world: ConsoleWorld<Service>,
  folder: string,
): Promise<InboxWorld<Service>> {
  const { service, sea, hill } = world;
  const act: InboxWorld['act'] = (path, body) => service.portal('POST', `/portal/sandbox/${path}`, body);
  const channel_type = 'marketplace_a';
  const { channel_account_id } = await act('channel_accounts', { channel_type });
  const listings = new Map<number, string>();
  for (const property_id of [sea, hill]) {
    listings.set(property_id, (await act('listings', { channel_account_id, property_id, base_price: 100 })).listing_id);
  }
  const all: { armed_at: string }[] = (await service.portal('GET', '/portal/automations')).rules;
  // Moments of the wire are whole seconds; what happens in the second of the start is taken for history.
  const from = Math.max(0, ...all.map((one) => Date.parse(one.armed_at))) + 1_100;
  await until(() => Date.now() > from, 'the next second');
  let booked = 0;
  return {
    ...world,
    folder,
    listings,
    act,
    guest(name, property, inDays = 20 + 3 * (booked += 1)) {
      const dates = { check_in_date: world.day(inDays), check_out_date: world.day(inDays + 2) };
      return act('bookings', { channel_type, listing_id: listings.get(property), ...dates, guest: { name } });
    },
    async write(conversation_id, content, more = {}) {
      await act('messages', { conversation_id, content, ...more });
      await service.settled();
    },
    async said(conversation_id) {
      const { messages } = await service.v3('GET', `/conversations/${conversation_id}`);
      return messages
        .filter((one: { sender_role: string }) => one.sender_role === 'host')
        .map((one: { content: string }) => one.content)
        .toReversed();
    },
    async plan(rule, conversation_id, state = 'awaiting_approval') {
      const plans = () =>
        service.rows(`select plan_id from mirror.automation_plans where rule = '${rule}'
          and conversation_id = '${conversation_id}' and state = '${state}'`);
      await until(async () => (await plans()).length > 0, `${rule} to be ${state}`);
      return String((await plans())[0]?.['plan_id']);
    },
    async remove() {
      await world.remove();
      rmSync(folder, { recursive: true });
    },
  };
}
