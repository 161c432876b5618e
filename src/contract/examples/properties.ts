import { propertyAvailability } from '../availabilities.ts';
import { calendarShareLink } from '../calendarShareLinks.ts';
import { property } from '../properties.ts';
import { propertyGroup } from '../propertyGroups.ts';
import { propertyTag } from '../propertyTags.ts';
import { roomType } from '../roomTypes.ts';
import { example } from './example.ts';

const channels = [{ channel_type: 'marketplace_a', listing_id: 'L12', currency: 'EUR' }];

/** Sea View in Kiel, its neighbours, and what groups them. */
export const propertyExamples = [
  example(property, {
    id: 12,
    name: 'Sea View',
    status: 'active',
    address: 'Hafenstraße 4, 24103 Kiel',
    longitude: '10.1394',
    latitude: '54.3233',
    channels,
    groups: [{ id: 3, name: 'North coast' }],
    tags: [{ id: 5, name: 'Sea view', color: '#2CBCFD' }],
    time_zone: 'Europe/Berlin',
    check_in_time: '15:00',
    check_out_time: '11:00',
  }),
  example(roomType, {
    id: 7,
    name: 'Double room',
    properties: [{ id: 12, name: 'Sea View' }],
    channels,
    tags: [],
  }),
  example(propertyGroup, { id: 3, name: 'North coast', property_ids: [12] }),
  example(propertyTag, { id: 5, name: 'Sea view', color: '#2CBCFD', property_ids: [12], room_type_ids: [] }),
  example(propertyAvailability, {
    id: 12,
    availabilities: [
      { date: '2027-03-04', available: true, remarks: null },
      { date: '2027-03-05', available: false, remarks: 'Reserved' },
      { date: '2027-03-06', available: false, remarks: 'New boiler' },
    ],
  }),
  example(calendarShareLink, {
    id: 2,
    scope: 'partial',
    property_ids: [12],
    url: 'https://stays.example.com/share/4fJ0qX…',
    created_at: '2027-01-04T08:15:00+01:00',
  }),
];
