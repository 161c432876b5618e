import type { Table } from '../../tables.ts';

/** Properties, and what orders them. */
export const portfolio: readonly Table[] = [
  {
    name: 'properties',
    columns: {
      account_id: 'text!',
      id: 'bigint! unique',
      name: 'text!',
      status: 'text!',
      address: 'text!',
      longitude: 'text!',
      latitude: 'text!',
      time_zone: 'text!',
      currency: 'text!',
      created_at: 'text!',
    },
    key: ['account_id', 'id'],
    unique: { properties_name: ['account_id', 'name'] },
    indexes: [{ name: 'properties_by_status', columns: ['account_id', 'status', 'name', 'id'] }],
  },
  {
    name: 'room_types',
    columns: { account_id: 'text!', id: 'bigint! unique', name: 'text!', name_key: 'text!', created_at: 'text!' },
    key: ['account_id', 'id'],
    unique: { room_types_name: ['account_id', 'name_key'] },
  },
  {
    name: 'room_type_properties',
    columns: { account_id: 'text!', property_id: 'bigint!', room_type_id: 'bigint!' },
    key: ['account_id', 'property_id'],
    indexes: [{ name: 'room_type_properties_of_owner', columns: ['account_id', 'room_type_id', 'property_id'] }],
  },
  {
    name: 'property_groups',
    columns: { account_id: 'text!', id: 'bigint! unique', name: 'text!', name_key: 'text!', created_at: 'text!' },
    key: ['account_id', 'id'],
    unique: { property_groups_name: ['account_id', 'name_key'] },
  },
  {
    name: 'group_properties',
    columns: { account_id: 'text!', property_id: 'bigint!', group_id: 'bigint!' },
    key: ['account_id', 'property_id', 'group_id'],
    indexes: [{ name: 'group_properties_of_owner', columns: ['account_id', 'group_id', 'property_id'] }],
  },
  {
    name: 'property_tags',
    columns: {
      account_id: 'text!',
      id: 'bigint! unique',
      name: 'text!',
      name_key: 'text!',
      color: 'text!',
      created_at: 'text!',
      deleted_at: 'text',
    },
    key: ['account_id', 'id'],
    indexes: [
      {
        name: 'property_tags_live_name',
        columns: ['account_id', 'name_key'],
        unique: true,
        where: 'deleted_at is null',
      },
      { name: 'property_tags_name', columns: ['account_id', 'name_key', 'id'] },
    ],
  },
  {
    name: 'tag_properties',
    columns: { account_id: 'text!', property_id: 'bigint!', tag_id: 'bigint!' },
    key: ['account_id', 'property_id', 'tag_id'],
    indexes: [{ name: 'tag_properties_of_owner', columns: ['account_id', 'tag_id', 'property_id'] }],
  },
  {
    name: 'tag_room_types',
    columns: { account_id: 'text!', room_type_id: 'bigint!', tag_id: 'bigint!' },
    key: ['account_id', 'room_type_id', 'tag_id'],
    indexes: [{ name: 'tag_room_types_of_owner', columns: ['account_id', 'tag_id', 'room_type_id'] }],
  },
  {
    name: 'reservation_tags',
    columns: {
      account_id: 'text!',
      id: 'bigint! unique',
      tag_name: 'text!',
      name_key: 'text!',
      color: 'text!',
      created_at: 'text!',
      deleted_at: 'text',
    },
    key: ['account_id', 'id'],
    indexes: [
      {
        name: 'reservation_tags_live_name',
        columns: ['account_id', 'name_key'],
        unique: true,
        where: 'deleted_at is null',
      },
      { name: 'reservation_tags_name', columns: ['account_id', 'name_key', 'id'] },
    ],
  },
  {
    name: 'stay_tags',
    columns: { account_id: 'text!', stay_id: 'bigint!', tag_id: 'bigint!' },
    key: ['account_id', 'stay_id', 'tag_id'],
    indexes: [{ name: 'stay_tags_of_owner', columns: ['account_id', 'tag_id', 'stay_id'] }],
  },
  {
    name: 'custom_channels',
    columns: { account_id: 'text!', id: 'bigint!', name: 'text!' },
    key: ['account_id', 'id'],
    unique: { custom_channels_name: ['account_id', 'name'] },
  },
  {
    name: 'dictionary_items',
    columns: { account_id: 'text!', dictionary: 'text!', id: 'bigint!', name: 'text!', refund: 'bigint!' },
    key: ['account_id', 'dictionary', 'id'],
  },
  {
    name: 'calendar_share_links',
    columns: {
      account_id: 'text!',
      id: 'bigint! unique',
      scope: 'text!',
      token: 'text!',
      token_hash: 'text! unique',
      created_at: 'text!',
    },
    key: ['account_id', 'id'],
    indexes: [
      { name: 'calendar_share_links_entire', columns: ['account_id'], unique: true, where: "scope = 'entire'" },
      { name: 'calendar_share_links_by_scope', columns: ['account_id', 'scope', 'id'] },
    ],
  },
  {
    name: 'share_link_properties',
    columns: { account_id: 'text!', property_id: 'bigint!', link_id: 'bigint!' },
    key: ['account_id', 'property_id', 'link_id'],
    indexes: [{ name: 'share_link_properties_of_owner', columns: ['account_id', 'link_id', 'property_id'] }],
  },
];
