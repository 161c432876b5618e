/**
 * The reason why a key must be read. It is also the `seen_by` of a change found by a read that no event asked for.
 * related: a row that belongs to it or names it has changed.
 */
export type Origin = 'event' | 'related' | 'scan' | 'catch_up' | 'command';
