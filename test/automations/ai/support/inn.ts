import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { startTestService, type TestService, until } from '../../../support/service.ts';
import { type ObedientModel, type Obey, startModel } from './obedientModel.ts';

const POLL_MS = 50;
const UNDER_WAY: ReadonlySet<string> = new Set(['planned', 'sending', 'verifying']);
export const KEY = 'sk-canary-key-7f3a9c';

/** A whole service with a house on a marketplace, its knowledge base, rules, and a model over real HTTP. */
export interface Inn {
  service: TestService;
  model: ObedientModel;
  property_id: number;
  /** What guests do. */
  act(path: string, body: object): Promise<any>;
  /** A booking of its own, some days after the others. @returns its conversation and code */
  book(
    guest?: string,
    inDays?: number,
  ): Promise<{ conversation_id: string; reservation_code: string; channel_id: string }>;
  write(conversation_id: string, content: string): Promise<void>;
  /** The newest plan about a conversation, once so many messages of the guest wait for a person or are done with. */
  decided(conversation_id: string, messages?: number): Promise<Plan>;
  /** Waits until the mirror holds a row that is asked for. */
  mirrors(sql: string): Promise<void>;
  /** What the host's side has said. */
  said(conversation_id: string): Promise<string[]>;
  /** Everything that waits. */
  pending(): Promise<Plan[]>;
  close(): Promise<void>;
}

export interface Plan {
  plan_id: string;
  state: string;
  reason: string | null;
  because: string;
  conversation_id: string;
  text: string | null;
  sources: { title: string; text: string }[] | null;
}

export async function openInn(
  rules: string,
  entries: readonly { title: string; content: string }[],
  { obey, environment = {} }: { obey: Obey; environment?: Record<string, string> },
): Promise<Inn> {
  const folder = mkdtempSync(join(tmpdir(), 'stayd-inn-'));
  writeFileSync(join(folder, 'rules.yaml'), rules);
  const model = await startModel(obey);
  const service = await startTestService({
    STAYD_AUTOMATIONS_RULES: folder,
    STAYD_AI_URL: model.url,
    STAYD_AI_MODEL: 'obedient',
    STAYD_AI_KEY: KEY,
    STAYD_AI_LOCAL: 'true',
    ...environment,
  });
  const act: Inn['act'] = (path, body) => service.portal('POST', `/portal/sandbox/${path}`, body);
  const { property_id } = await service.v3('POST', '/properties', { title: 'Mill' });
  for (const entry of entries) await service.v3('POST', '/knowledge_bases', entry);
  const { channel_account_id } = await act('channel_accounts', { channel_type: 'marketplace_a' });
  const { listing_id } = await act('listings', { channel_account_id, property_id, base_price: 100 });
  const isRead = async () =>
    (await service.v3('GET', '/knowledge_bases?limit=100')).knowledge_bases.every(
      (one: { process_status: string }) => one.process_status === 'done',
    );
  await until(isRead, 'the knowledge base to be processed');
  const all: { armed_at: string }[] = (await service.portal('GET', '/portal/automations')).rules;
  // Moments of the wire are whole seconds; what happens in the second of the start is taken for history.
  const from = Math.max(0, ...all.map((one) => Date.parse(one.armed_at))) + 1_100;
  await until(() => Date.now() > from, 'the next second');
  let booked = 0;
  const mirror = new Database(join(service.dataDir, 'mirror.db'), { readonly: true });
  const about = mirror.prepare<[string], Omit<Plan, 'text' | 'sources' | 'because'>>(
    `select plan_id, state, reason, detail, conversation_id from automation_plans
     where conversation_id = ? and action = 'ai_draft' order by plan_id desc`,
  );
  const inn: Inn = {
    service,
    model,
    property_id,
    act,
    async book(guest = 'Ada Guest', inDays = 10 + 2 * (booked += 1)) {
      const day = (more: number) => new Date(Date.now() + (inDays + more) * 86_400_000).toISOString().slice(0, 10);
      return act('bookings', {
        channel_type: 'marketplace_a',
        listing_id,
        check_in_date: day(0),
        check_out_date: day(2),
        guest: { name: guest },
      });
    },
    async write(conversation_id, content) {
      await act('messages', { conversation_id, content });
    },
    async decided(conversation_id, messages = 1) {
      const over = () => about.all(conversation_id).filter((one) => !UNDER_WAY.has(one.state));
      const seen = () => `a decision about ${conversation_id}: ${JSON.stringify(about.all(conversation_id))}`;
      await until(async () => (await wait(POLL_MS), over().length >= messages), seen);
      const [row] = over();
      assert.ok(row);
      const held = (await inn.pending()).find((one) => one.plan_id === row.plan_id);
      return held ?? { ...row, text: null, sources: null, because: '' };
    },
    async mirrors(sql) {
      const rows = mirror.prepare(sql);
      await until(async () => (await wait(POLL_MS), rows.get() !== undefined), sql);
    },
    async said(conversation_id) {
      const { messages } = await service.v3('GET', `/conversations/${conversation_id}`);
      return messages
        .filter((one: { sender_role: string }) => one.sender_role === 'host')
        .map((one: { content: string }) => one.content)
        .toReversed();
    },
    pending: async () => (await service.portal('GET', '/portal/automations/pending?limit=500')).plans,
    async close() {
      mirror.close();
      await service.remove();
      await model.close();
      rmSync(folder, { recursive: true });
    },
  };
  return inn;
}
