import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestService, type TestService, until } from '../../../support/service.ts';
import { type ObedientModel, type Obey, startModel } from './obedientModel.ts';

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
  /** What the host's side has said. */
  said(conversation_id: string): Promise<string[]>;
  use(rules: string): Promise<void>;
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
  const file = join(folder, 'rules.yaml');
  writeFileSync(file, rules);
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
  const armed = async () => {
    const all: { armed_at: string }[] = (await service.portal('GET', '/portal/automations')).rules;
    // Moments of the wire are whole seconds; what happens in the second of the start is taken for history.
    const from = Math.max(0, ...all.map((one) => Date.parse(one.armed_at))) + 1_100;
    await until(() => Date.now() > from, 'the next second');
  };
  await armed();
  let booked = 0;
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
      const about = `select * from mirror.automation_plans where conversation_id = '${conversation_id}'
        and action = 'ai_draft' and state not in ('planned', 'sending', 'looking') order by plan_id desc`;
      await until(async () => (await service.rows(about)).length >= messages, `a decision about ${conversation_id}`);
      const [row] = await service.rows(about);
      const held = (await inn.pending()).find((one) => one.plan_id === row?.['plan_id']);
      return held ?? ({ text: null, sources: null, because: '', ...row } as unknown as Plan);
    },
    async said(conversation_id) {
      const { messages } = await service.v3('GET', `/conversations/${conversation_id}`);
      return messages
        .filter((one: { sender_role: string }) => one.sender_role === 'host')
        .map((one: { content: string }) => one.content)
        .toReversed();
    },
    async use(text) {
      writeFileSync(file, text);
      const isTaken = async () => {
        const { rules: all } = await service.portal('GET', '/portal/automations');
        const versions = await service.rows('select count(*) as n from mirror.automation_versions');
        return all.length > 0 && Number(versions[0]?.['n']) > before;
      };
      const before = Number((await service.rows('select count(*) as n from mirror.automation_versions'))[0]?.['n']);
      await until(isTaken, 'the rules to be read');
      await armed();
    },
    pending: async () => (await service.portal('GET', '/portal/automations/pending?limit=500')).plans,
    async close() {
      await service.remove();
      await model.close();
      rmSync(folder, { recursive: true });
    },
  };
  return inn;
}
