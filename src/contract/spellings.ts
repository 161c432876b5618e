/** One field that two pages of the description spell differently. */
export interface SpellingPair {
  readonly family: string;
  /** The spelling that the code uses throughout. */
  readonly name: string;
  readonly second: string;
  /** Converters, where the two spellings hold the same fact in different forms. */
  readonly toSecond?: (value: unknown) => unknown;
  readonly fromSecond?: (value: unknown) => unknown;
  /** Returns the JSON Schema of the second spelling from that of the first, where they differ. */
  readonly secondSchema?: (first: { items?: unknown }) => object;
}

const PARAGRAPH = '\n\n';

/** The only place that knows double spellings. Answers carry both, and input may use either. */
export const spellings: readonly SpellingPair[] = [
  { family: 'property', name: 'name', second: 'title' },
  { family: 'room_type', name: 'name', second: 'title' },
  { family: 'reservation', name: 'note', second: 'remarks' },
  { family: 'price_entry', name: 'price', second: 'amount' },
  { family: 'message', name: 'message_id', second: 'id' },
  { family: 'message', name: 'timestamp', second: 'created_at' },
  {
    family: 'message',
    name: 'attachments',
    second: 'attachment',
    toSecond: (value) => (Array.isArray(value) ? (value[0] ?? null) : null),
    fromSecond: (value) => (value === null ? [] : [value]),
    secondSchema: ({ items }) => ({ anyOf: [items, { type: 'null' }] }),
  },
  { family: 'conversation', name: 'conversation_id', second: 'id' },
  { family: 'automation_action', name: 'plan_id', second: 'id' },
  {
    family: 'knowledge_base',
    name: 'content',
    second: 'contents',
    toSecond: (value) => [{ text: String(value), sub_title: '' }],
    fromSecond: (value) =>
      Array.isArray(value) ? value.map((part: { text?: string }) => part.text ?? '').join(PARAGRAPH) : value,
  },
];
