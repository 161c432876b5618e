import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/kernel/program/packageRoot.ts';
import { startReceiver } from '../support/receiver.ts';
import { startTestService, type TestService, until } from '../support/service.ts';
import { type Context, loadNodes, type NodeClass, type Trigger } from './n8nContext.ts';
import { fetchPackages, run } from './packages.ts';

const TOOLS = {
  'n8n-workflow': '2.41.0',
  '@n8n/eslint-plugin-community-nodes': '0.32.0',
  '@typescript-eslint/parser': '8.35.0',
  '@types/node': '20.19.43',
  eslint: '9.29.0',
  typescript: '5.8.3',
};
const NIGHTS = { check_in_date: '2027-03-05', check_out_date: '2027-03-08' };
const AMOUNTS = { rate_amount: 300, commission_amount: 0, received_amount: 0 };

/**
 * The package of n8n nodes: n8n's linter for community nodes judges it, it is compiled against the real n8n-workflow, and
 * the compiled nodes are called with the functions that n8n documents, over HTTP, beside a running service. n8n itself
 * does not run.
 * @returns what has failed
 * @throws NoPackages when the registry cannot be reached
 */
export async function n8n(say: (text: string) => void): Promise<string[]> {
  const folder = await fetchPackages({ folder: 'n8n', packages: TOOLS }, say);
  say('\nthe nodes for n8n');
  const failed: string[] = [];
  const check = (what: string, isRight: boolean, seen: unknown = '') => {
    say(isRight ? `ok    ${what}` : `FAIL  ${what}: ${typeof seen === 'string' ? seen : JSON.stringify(seen)}`);
    if (!isRight) failed.push(`n8n: ${what}`);
  };
  const work = join(folder, 'work');
  rmSync(work, { recursive: true, force: true });
  const source = join(packageRoot(), 'integrations', 'n8n');
  cpSync(source, work, { recursive: true, filter: (file) => !/[/\\](?:dist|node_modules)$/.test(file) });
  const tool = (path: string, ...args: string[]) =>
    run(process.execPath, [join(folder, 'node_modules', path), ...args], work);
  const linted = await tool('eslint/bin/eslint.js', '.', '--max-warnings', '0');
  check('n8n’s linter for community nodes', linted.code === 0, linted.output);
  const compiled = await tool('typescript/bin/tsc');
  check('they compile', compiled.code === 0, compiled.output);
  const copied = await run(process.execPath, ['copy-icons.mjs'], work);
  check('their icons are where they look', copied.code === 0, copied.output);
  if (compiled.code !== 0) return failed;
  const nodes = loadNodes(work);
  checkWorkflows(work, nodes, check);
  await withService(async (service, context) => {
    await checkResources(service, nodes, context, check);
    await checkTrigger(service, nodes, context, check);
  });
  return failed;
}

type Check = (what: string, isRight: boolean, seen?: unknown) => void;
type Nodes = ReturnType<typeof loadNodes>;
type MakeContext = (parameters: Record<string, unknown>) => Context;

/** The example workflows name our nodes and their parameters as they are. */
function checkWorkflows(work: string, { stayd, trigger }: Nodes, check: Check): void {
  const known: Record<string, NodeClass> = {
    'n8n-nodes-stayd.stayd': stayd,
    'n8n-nodes-stayd.staydTrigger': trigger,
  };
  for (const file of readdirSync(join(work, 'workflows'))) {
    const { nodes } = JSON.parse(readFileSync(join(work, 'workflows', file), 'utf8')) as {
      nodes: { type: string; parameters: Record<string, unknown> }[];
    };
    const wrong = nodes.flatMap(({ type, parameters }) => {
      const names = new Set(known[type]?.description.properties.map(({ name }) => name));
      return known[type] ? Object.keys(parameters).filter((name) => !names.has(name)) : [];
    });
    check(`${file} fits the nodes`, wrong.length === 0 && nodes.some(({ type }) => type in known), wrong);
  }
}

async function withService(act: (service: TestService, context: MakeContext) => Promise<void>): Promise<void> {
  const receiver = await startReceiver();
  const service = await startTestService({ STAYD_OUTBOUND_ALLOW: receiver.host });
  try {
    await act(service, (parameters) => ({ receiver, service, parameters, staticData: {}, codes: [] }));
  } finally {
    await service.remove();
    await receiver.close();
  }
}

async function checkResources(service: TestService, { stayd, execute }: Nodes, context: MakeContext, check: Check) {
  const act = (resource: string, operation: string, more: Record<string, unknown> = {}) =>
    execute(stayd, context({ resource, operation, ...more }));
  for (let index = 0; index < 105; index += 1) await service.v3('POST', '/properties', { name: `House ${index}` });
  const all = await act('property', 'getAll', { returnAll: true });
  check('a list is read to its end', new Set(all.map(({ id }) => id)).size === 105, all.length);
  const some = await act('property', 'getAll', { returnAll: false, limit: 3 });
  check('or up to a limit', some.length === 3, some.length);
  const booking = { property_id: all[0]?.['id'], guest_name: 'Zoë', ...NIGHTS, ...AMOUNTS };
  const made = await act('reservation', 'create', { ...booking, additionalFields: { currency: 'EUR' } });
  const code = made[0]?.['reservation_code'];
  const filters = { returnAll: true, additionalFields: { reservation_code: code } };
  const found = await act('reservation', 'getAll', filters);
  check('a reservation is made and read', found[0]?.['guest_name'] === 'Zoë', found);
  const refused = await act('reservation', 'create', booking).catch((error: unknown) => error);
  check('a refusal is a NodeApiError with its error_code', isApiError(refused, '409'), String(refused));
  await service.portal('PUT', '/portal/faults', { answers: { limit: 1 } });
  const waiting = context({ resource: 'property', operation: 'getAll', returnAll: false, limit: 1 });
  const limited = execute(stayd, waiting);
  await until(() => waiting.codes.includes(429), 'the limit');
  await service.portal('PUT', '/portal/faults', { answers: {} });
  check('a limit is waited for', (await limited).length === 1 && waiting.codes.at(-1) === 200, waiting.codes);
  const night = { property_ids: JSON.stringify([all[1]?.['id']]), available: false };
  const dates = { additionalFields: { start_date: '2027-04-01', end_date: '2027-04-02' } };
  const done = await act('availability', 'update', { ...night, ...dates });
  check('nights are blocked by JSON', done[0]?.['success'] === true, done);
}

function isApiError(error: unknown, code: string): boolean {
  return (
    error instanceof Error &&
    error.constructor.name === 'NodeApiError' &&
    'httpCode' in error &&
    error.httpCode === code
  );
}

async function checkTrigger(service: TestService, nodes: Nodes, makeContext: MakeContext, check: Check): Promise<void> {
  const context = makeContext({ events: ['reservation_created'], readResource: true });
  const { receiver } = context;
  const trigger: Trigger = nodes.trigger;
  const hook = (name: 'checkExists' | 'create' | 'delete') => nodes.hook(trigger, name, context);
  check('nothing is registered at first', !(await hook('checkExists')));
  await hook('create');
  const registered = async (): Promise<unknown[]> => {
    const { webhooks } = await service.v3('GET', '/webhooks');
    return webhooks.filter(({ url }: { url: string }) => url === receiver.url);
  };
  check('activation registers a webhook', (await registered()).length === 1);
  check('and finds it again', await hook('checkExists'));
  context.parameters['events'] = ['reservation_created', 'review_created'];
  check('but not with other events', !(await hook('checkExists')));
  context.parameters['events'] = ['reservation_created'];
  const { property_id } = await service.v3('POST', '/properties', { name: 'Triggered' });
  const booking = { property_id, guest_name: 'Ann', currency: 'EUR', ...NIGHTS, ...AMOUNTS };
  const { reservation_code } = await service.v3('POST', '/reservations', booking);
  await until(() => receiver.received.length > 0, 'the event');
  const [delivery] = receiver.received;
  if (!delivery) throw new Error('no delivery');
  const { body, headers } = delivery;
  const receive = (changed: object = {}) => nodes.receive(trigger, context, { body, headers, ...changed });
  const forged = await receive({ body: body.replace('reservation_created', 'reservation_updated') });
  check('a forged event is refused', forged.status === 401 && !forged.items, forged);
  const unsigned = await receive({ headers: { ...headers, 'webhook-signature': undefined } });
  check('an event without a signature is refused', unsigned.status === 401 && !unsigned.items, unsigned);
  const old = await receive({ headers: { ...headers, 'webhook-timestamp': '1700000000' } });
  check('an old one is refused', old.status === 401 && !old.items, old);
  const fine = await receive();
  const [item] = fine.items ?? [];
  check('an event starts the workflow', item?.['reservation_code'] === reservation_code, fine);
  const [row] = item?.['resource']?.reservations ?? [];
  check('with what it is about', row?.guest_name === 'Ann', item);
  const replayed = await receive();
  check('a replay starts nothing', replayed.status === 200 && !replayed.items, replayed);
  context.parameters['events'] = ['review_created'];
  context.staticData['seen'] = [];
  const other = await receive();
  check('neither does an event that was not selected', other.status === 200 && !other.items, other);
  await hook('delete');
  const left = await registered();
  check('deactivation deletes the webhook', left.length === 0 && !context.staticData['secret'], left);
  check('after which nothing is believed', (await receive()).status === 401);
}
