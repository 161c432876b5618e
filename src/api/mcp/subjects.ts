import type { Data, GuardedId, Input } from '../../contract/index.ts';
import type { Authenticated } from '../../core/accounts/authenticate.ts';
import { findReservationByAnyCode } from '../../core/reservations/lookup.ts';
import { ApiError } from '../../kernel/errors.ts';
import { exponentOf } from '../../kernel/money.ts';
import { look, type Service } from '../http/pipeline.ts';
import type { McpTool } from './tools.ts';
import { quoted } from './visibleText.ts';

type Find = <Id extends GuardedId>(id: Id, input: Partial<Input<Id>>) => Promise<Data<Id>>;
type Describe = (find: Find, value: unknown) => Promise<string | undefined>;

/** Ids of a list that a question names; a person reads no more. */
const MOST_NAMES = 20;

/** The description of an argument's subject, by the argument's name. */
const DESCRIBE: Readonly<Record<string, Describe>> = {
  property_id: (find, id) => propertyNamed(find, id),
  async property_ids(find, ids) {
    const list = Array.isArray(ids) ? ids : String(ids).split(',');
    const names = await Promise.all(list.slice(0, MOST_NAMES).map((id) => propertyNamed(find, id)));
    return [...names.filter(Boolean), ...(list.length > MOST_NAMES ? ['…'] : [])].join(', ') || undefined;
  },
  async conversation_id(find, id) {
    const { guest, activities } = await find('getConversation', { conversation_id: String(id), limit: 1 });
    const [stay] = activities;
    const dates = stay?.check_in_date && `${stay.check_in_date} to ${stay.check_out_date}`;
    const place = stay?.property && quoted(stay.property.name);
    return together(`guest ${quoted(guest.name)}`, dates, place);
  },
  async custom_channel_id(find, id) {
    const { custom_channels } = await find('listCustomChannels', {});
    return nameOf(custom_channels.find((one) => one.id === Number(id)));
  },
  async staff_id(find, id) {
    return nameOf((await find('listStaffs', { id: Number(id) })).staffs[0]);
  },
  async plan_id(find, id) {
    const { actions } = await find('listAutomationActions', { limit: 100 });
    const action = actions.find((one) => one.plan_id === id);
    return action && together(quoted(action.name), action.send_to && `to ${quoted(action.send_to)}`, action.stay_code);
  },
};

/** The description of an `id`, by the last word of the tool's name. */
const DESCRIBE_ID: Readonly<Record<string, Describe>> = {
  async transaction(find, id) {
    const [entry] = (await find('listTransactions', { id: Number(id) })).transactions;
    if (!entry) return undefined;
    const { direction, amount, currency, action_at, item_name, reservation_code } = entry;
    return together(direction, money({ amount, currency }), item_name, action_at, reservation_code);
  },
  async task(find, id) {
    const [task] = (await find('listTasks', { id: Number(id) })).tasks;
    return task && together(task.type, task.expected_date, task.property_title && quoted(task.property_title));
  },
  async staff(find, id) {
    return nameOf((await find('listStaffs', { id: Number(id) })).staffs[0]);
  },
  async knowledge_base(find, id) {
    const { title } = await find('getKnowledgeBase', { id: Number(id) });
    return quoted(title);
  },
  async property_group(find, id) {
    return nameOf((await find('listPropertyGroups', { id: Number(id) })).groups[0]);
  },
};

/** Describes the subjects of a call in words of the account: guests, dates, properties, amounts; by the argument. */
export async function subjectsOf(
  service: Service,
  who: Authenticated,
  { definition }: McpTool,
  args: Readonly<Record<string, unknown>>,
): Promise<ReadonlyMap<string, string>> {
  const find: Find = (id, input) => look(service, id, who, input);
  const noun = definition.name.slice(definition.name.indexOf('_') + 1);
  const found = new Map<string, string>();
  for (const [name, value] of Object.entries(args)) {
    const text = await knownOnly(() => {
      if (name === 'stay_code' || name === 'reservation_code')
        return reservationNamed(service, who, find, String(value));
      return (name === 'id' ? DESCRIBE_ID[noun] : DESCRIBE[name])?.(find, value);
    });
    if (text !== undefined) found.set(name, text);
  }
  return found;
}

/** Ignores subjects that are missing or belong to others, because the call itself will refuse them. */
async function knownOnly(work: () => Promise<string | undefined> | undefined): Promise<string | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

async function reservationNamed(
  { core }: Service,
  { account }: Authenticated,
  find: Find,
  code: string,
): Promise<string | undefined> {
  const found = await findReservationByAnyCode(core.store.db, account.account_id, code);
  if (!found) return undefined;
  const { reservations } = await find('listReservations', { reservation_code: found.reservation_code, limit: 100 });
  const one = reservations.filter(({ stay_code }) => stay_code === code);
  const stays = one.length > 0 && code !== found.reservation_code ? one : reservations;
  const [first] = stays;
  if (!first) return undefined;
  const places = await Promise.all(
    [...new Set(stays.map((stay) => stay.property_id))].map((id) => propertyNamed(find, id)),
  );
  const dates = [...new Set(stays.map((stay) => `${stay.check_in_date} to ${stay.check_out_date}`))];
  const { guest_name, status, rates } = first;
  const amount = stays === reservations ? rates.total_rate : rates.rate;
  return together(guest_name && `guest ${quoted(guest_name)}`, ...dates, ...places, amount && money(amount), status);
}

async function propertyNamed(find: Find, id: unknown): Promise<string | undefined> {
  const number = Number(id);
  if (!Number.isSafeInteger(number) || number <= 0) return undefined;
  return nameOf((await find('listProperties', { id: number })).properties[0]);
}

function nameOf(row: { name: string } | undefined): string | undefined {
  return row && quoted(row.name);
}

function money({ amount, currency }: { amount: number; currency: string }): string {
  return `${amount.toFixed(exponentOf(currency))} ${currency}`;
}

function together(...parts: (string | null | undefined | 0 | false)[]): string {
  return parts.filter(Boolean).join(', ');
}
