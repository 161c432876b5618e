import type { TableNote } from '../tableNote.ts';

/** Notes on the tables that group properties and reservations, and share calendars. */
export const portfolioNotes: readonly TableNote[] = [
  {
    table: 'room_types',
    is: 'One room type. A property belongs to one at most.',
    analysts: {},
    columns: {
      id: 'room_type_id.',
      name: 'Name.',
      property_ids: 'Its properties, JSON list; their number bounds the inventory.',
      tags: 'Names of its property tags, JSON list.',
    },
  },
  {
    table: 'property_groups',
    is: 'One group of properties.',
    analysts: {},
    columns: { id: 'Id.', name: 'Name.', property_ids: 'Its properties, JSON list.' },
  },
  {
    table: 'property_tags',
    is: 'One tag of properties and room types.',
    analysts: {},
    columns: {
      id: 'Id.',
      name: 'Name.',
      color: 'Colour of the palette, `#RRGGBB`.',
      property_ids: 'Properties that carry it, JSON list.',
      room_type_ids: 'Room types that carry it, JSON list.',
    },
  },
  {
    table: 'reservation_tags',
    is: 'One tag that reservations can have; which stays have it stands in `stays.tags`.',
    analysts: { types: { is_default: 'flag' } },
    columns: {
      id: 'Id.',
      tag_name: 'Name, as `stays.tags` has it.',
      color: 'Colour of the palette, `#RRGGBB`.',
      is_default: '1: every operator has it.',
    },
  },
  {
    table: 'calendar_share_links',
    is: 'One public, read-only calendar.',
    analysts: { hidden: ['url', 'raw'] },
    columns: {
      id: 'Id.',
      scope: 'entire: all properties; partial: some.',
      property_ids: 'The properties of a partial one, JSON list.',
      url: 'Its address, encrypted, here and in `raw`: whoever has it can read the calendar. `GET /mirror/calendar_share_link/<id>` shows it.',
      created_at: 'When it was made (UTC).',
    },
  },
];
