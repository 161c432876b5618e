import { errorCodes } from '../../../contract/errors.ts';
import { eventKinds } from '../../../contract/events.ts';
import { operations } from '../../../contract/index.ts';
import { describedEvent } from '../events/described.ts';
import { MEANINGS } from '../events/kinds.ts';
import type { Guide } from '../guides/guides.ts';
import { describedOperation } from '../resources/described.ts';
import { anchorOf } from '../resources/operation.ts';
import { nameOfOperation, type Resource, resourceChapters } from '../resources/resources.ts';
import { ADVICE } from '../rules/errors.ts';

/** Kinds of what can be found, the one first that a reader most probably means. */
export const KINDS = ['Operation', 'Event', 'Error', 'Guide', 'Field'] as const;

/** Something that can be found. */
export interface Entry {
  readonly kind: (typeof KINDS)[number];
  readonly title: string;
  /** Further names of it, as good as its title. */
  readonly names?: string;
  /** Where it belongs, such as the page. */
  readonly place: string;
  readonly text: string;
  readonly address: string;
}

/** Returns everything that can be found. */
export function searchEntries(guides: readonly Guide[]): readonly Entry[] {
  const resources = resourceChapters().flatMap((chapter) => chapter.resources);
  return [
    ...resources.flatMap(operationEntries),
    ...eventKinds.map((kind): Entry => {
      const fields = describedEvent(kind).fields.map(({ name }) => name);
      return {
        kind: 'Event',
        title: kind,
        place: 'Events',
        text: `${MEANINGS[kind].when} ${fields.join(' ')}`,
        address: `/docs/events#${kind}`,
      };
    }),
    VERIFYING,
    ...Object.entries(errorCodes).map(([code, { name, text, client }]): Entry => ({
      kind: 'Error',
      title: `${code} ${name}`,
      place: 'Errors and limits',
      text: `${text} ${ADVICE[client]}`,
      address: `/docs/errors#error-${code}`,
    })),
    ...guides.flatMap(guideEntries),
    ...resources.flatMap(fieldEntries),
  ];
}

const VERIFYING: Entry = {
  kind: 'Event',
  title: 'Know that an event is genuine',
  place: 'Events',
  text: 'Verify the signature of a webhook: webhook-signature, webhook-id, webhook-timestamp, service-webhook-secret-token, HMAC, Standard Webhooks.',
  address: '/docs/events#verify',
};

function operationEntries({ name, address, operations: ids }: Resource): readonly Entry[] {
  return ids.map((id) => {
    const { method, path, summary, notes } = { notes: '', ...operations[id] };
    return {
      kind: 'Operation',
      title: nameOfOperation(id),
      place: name,
      names: `${id} ${method} /v3${path}`,
      text: `${summary} ${notes}`,
      address: `${address}#${id}`,
    };
  });
}

/** The fields that go into an operation, and those that come out of it. */
function fieldEntries({ name: resource, address, operations: ids }: Resource): readonly Entry[] {
  return ids.flatMap((id) => {
    const { path, query, body, answer } = describedOperation(id);
    const place = `${resource}: ${nameOfOperation(id)}`;
    return [
      ...[...path, ...query, ...body].map((row): Entry => ({
        kind: 'Field',
        title: row.name,
        place,
        text: [row.notes, ...row.values].join(' '),
        address: `${address}#${anchorOf(id, row)}`,
      })),
      ...answer.map((row): Entry => ({
        kind: 'Field',
        title: row.name,
        place: `${place}, answer`,
        text: [row.notes, ...row.values].join(' '),
        address: `${address}#${id}`,
      })),
    ];
  });
}

function guideEntries({ title, address, sections }: Guide): readonly Entry[] {
  return sections().map(({ level, text, anchor, body }) => ({
    kind: 'Guide',
    title: text,
    place: title,
    text: body,
    address: level === 1 ? address : `${address}#${anchor}`,
  }));
}
