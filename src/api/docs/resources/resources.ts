import { type OperationId, operationIds, operations } from '../../../contract/index.ts';
import { openApiDocument } from '../../openapi.ts';

/** Everything that operations do with one kind of thing. */
export interface Resource {
  /** The first part of its paths, such as `room_types`. */
  readonly path: string;
  /** For people, such as `Room types`. */
  readonly name: string;
  readonly about: string;
  readonly address: string;
  readonly operations: readonly OperationId[];
}

/** The names of the resources for people, by the chapters in which they are listed. */
const CHAPTERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'Reservations and guests': {
    reservations: 'Reservations',
    reservation_tags: 'Reservation tags',
    custom_channels: 'Custom channels',
    conversations: 'Conversations',
    reviews: 'Reviews',
    automation: 'Automation actions',
    knowledge_bases: 'Knowledge bases',
  },
  'Properties and calendars': {
    properties: 'Properties',
    room_types: 'Room types',
    groups: 'Groups',
    tags: 'Property tags',
    availabilities: 'Availabilities',
    calendar_share_links: 'Shared calendars',
  },
  Channels: {
    channel_accounts: 'Channel accounts',
    listings: 'Listings',
    pricing_ratios: 'Pricing ratios',
  },
  Money: {
    transactions: 'Transactions',
    income_items: 'Income items',
    expense_items: 'Expense items',
    income_methods: 'Income methods',
    expense_methods: 'Expense methods',
  },
  Work: { tasks: 'Tasks', staffs: 'Staff' },
  'Account and access': {
    accounts: 'Account',
    webhooks: 'Webhooks',
    oauth: 'OAuth tokens',
  },
};

/** A heading with its resources. */
interface ResourceChapter {
  readonly title: string;
  readonly resources: readonly Resource[];
}

let made: readonly ResourceChapter[] | undefined;

/** Returns every resource of the contract by chapters. Resources without a name here have those of their paths. */
export function resourceChapters(): readonly ResourceChapter[] {
  return (made ??= makeChapters());
}

function makeChapters(): readonly ResourceChapter[] {
  const byPath = new Map<string, OperationId[]>();
  for (const id of operationIds) byPath.set(resourceOf(id), [...(byPath.get(resourceOf(id)) ?? []), id]);
  const named = Object.entries(CHAPTERS).map(([title, names]) => {
    const present = Object.entries(names).filter(([path]) => byPath.has(path));
    return { title, resources: present.map(([path, name]) => resource(path, name, byPath.get(path) ?? [])) };
  });
  const known = new Set(Object.values(CHAPTERS).flatMap((names) => Object.keys(names)));
  const others = [...byPath].filter(([path]) => !known.has(path));
  if (others.length === 0) return named;
  return [...named, { title: 'More', resources: others.map(([path, ids]) => resource(path, sentence(path), ids)) }];
}

function resource(path: string, name: string, ids: readonly OperationId[]): Resource {
  return { path, name, about: aboutTag(path), address: addressOfResource(path), operations: ids };
}

/** Returns what the OpenAPI document says of a group of operations. */
function aboutTag(path: string): string {
  const { tags = [] } = openApiDocument() as { tags?: readonly { name: string; description?: string }[] };
  return tags.find(({ name }) => name === path)?.description ?? '';
}

/** Returns the first part of an operation's path. */
function resourceOf(id: OperationId): string {
  return operations[id].path.split('/')[1] ?? '';
}

function addressOfResource(path: string): string {
  return `/docs/${path.replaceAll('_', '-')}`;
}

/** Returns where an operation is described. */
export function addressOfOperation(id: OperationId): string {
  return `${addressOfResource(resourceOf(id))}#${id}`;
}

/** Returns the name of an operation for people: `listRoomTypes` is "List room types". */
export function nameOfOperation(id: OperationId): string {
  const words = id.replaceAll(/(?=[A-Z])/g, '_').toLowerCase();
  return sentence(words.replace('check_in_', 'check-in ')).replace(/\b(marketplace) ([a-z])\b/, nameOfMarketplace);
}

function nameOfMarketplace(_: string, word: string, letter: string): string {
  return `${word} ${letter.toUpperCase()}`;
}

function sentence(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
