import { aboutPerson, count, CURRENCY, day, detail, money, PERIOD, PLACE, type Report, SPAN, text } from './report.ts';

/** A week: today and the seven days after it. */
const WEEK = 7;
const QUARTER = 90;
const PRICE =
  'The price is what the nights cost now: of the property’s listings the lowest of each night, the mean of the nights. Listings in different currencies give a row each.';

/** Reports of the work ahead and of the nights still to sell. */
export const dailyReports: readonly Report[] = [
  {
    name: 'arrivals',
    view: 'v1_arrivals',
    title: 'who arrives, leaves or stays on, day by day',
    notes: [
      'Accepted stays of all kinds, owners’ included. in_house: stays on from the day before and does not leave.',
      'Shown from today on for a week, today in the operator’s time zone.',
      'Names are shown to those who ask for persons; they stand in `guests`, under the code of the stay.',
    ],
    columns: [
      day('date', 'The day.'),
      text('movement', 'arrival, departure or in_house.'),
      { name: 'property_id', unit: 'count', is: 'Property; 0 for stays in the reservation box.', detail: true },
      text('property', 'Its name.'),
      text('stay_code', 'The stay.'),
      text('channel', 'The operator’s own source, or the channel.'),
      { name: 'guests', unit: 'count', is: 'Guests.' },
      detail(day('check_in_date', 'First night.')),
      day('check_out_date', 'Day of leaving.'),
      { name: 'nights', unit: 'count', is: 'Nights of the stay.' },
      detail(text('kind', 'paid, unpaid or owner.')),
      { name: 'same_day', unit: 'flag', is: '1: on that day another stay leaves (or arrives) in the same property.' },
    ],
    filters: { dates: 'date', ahead: WEEK, property: 'column' },
    order: ['date', 'movement', 'property', 'stay_code'],
    persons: [
      { name: 'guest', unit: 'text', is: 'Name of whoever booked.', field: 'name' },
      { name: 'phone', unit: 'text', is: 'Their telephone.', field: 'phone' },
      { name: 'email', unit: 'text', is: 'Their e-mail address.', detail: true, field: 'email' },
    ],
  },
  {
    name: 'house',
    view: 'v1_house',
    title: 'arrivals, departures, guests in house and turnovers of each day',
    notes: ['Counted from `arrivals`; days on which nothing happens are left out.'],
    columns: [
      day('date', 'The day.'),
      count('arrivals', 'Stays that begin.'),
      count('departures', 'Stays that end.'),
      { name: 'in_house', unit: 'count', is: 'Stays that go on.' },
      { name: 'occupied', unit: 'count', is: 'arrivals + in_house: the night that follows.' },
      count('turnovers', 'Arrivals in a property that another stay leaves on the same day.'),
      { name: 'guests', unit: 'count', is: 'Guests of the night that follows.' },
    ],
    filters: { dates: 'date', ahead: WEEK },
    order: ['date'],
  },
  {
    name: 'task-load',
    view: 'v1_task_load',
    title: 'tasks of each person',
    notes: [
      'By the day they are expected on. Cancelled tasks stand in their own column only.',
      'Fees in different currencies give a row each.',
    ],
    columns: [
      { ...SPAN, is: 'What a row is of: day, month, year or all (time).' },
      PERIOD,
      detail({ name: 'staff_id', unit: 'count', is: 'Who does them; null for nobody yet.' }),
      aboutPerson('person', 'Their name.'),
      CURRENCY,
      count('tasks', 'Tasks, without cancelled ones.'),
      count('open_tasks', 'Of them neither completed nor cancelled.'),
      count('completed', 'Of them completed.'),
      count('cancelled', 'Cancelled ones.'),
      ...['cleaning', 'maintenance', 'reception', 'room_service', 'other'].map((type) =>
        count(type, `Of the tasks those of type ${type}.`),
      ),
      money('fee', 'What they cost.'),
    ],
    filters: { dates: 'period', by: ['day', 'month', 'year', 'all'] },
    order: ['period', 'person', 'currency'],
  },
  {
    name: 'gaps',
    view: 'v1_gaps',
    title: 'short runs of free nights between two stays',
    notes: [
      'A run lies between two accepted stays of a property, of whatever kind, and no night of it is closed in the master calendar. Runs of at most 3 nights are shown unless `--nights` says otherwise.',
      'Shown from today on.',
      PRICE,
    ],
    columns: [
      ...PLACE.map((column) => (column.name === 'property_id' ? detail(column) : column)),
      day('first_night', 'First free night.'),
      day('last_night', 'Last free night.'),
      { name: 'nights', unit: 'count', is: 'How many.' },
      { name: 'price', unit: 'price', is: 'Price of a night now, in whole units of the currency.' },
      { ...CURRENCY, is: 'Currency of the price.' },
    ],
    filters: { dates: 'first_night', ahead: null, property: 'column', mostNights: 3 },
    order: ['first_night', 'property'],
  },
  {
    name: 'unsold-weekends',
    view: 'v1_unsold_weekends',
    title: 'weekends that are still free',
    notes: [
      'A weekend is the night of a Friday and that of the Saturday after it; both are free in the master calendar. One that is half free is none.',
      'Shown from today on for 90 days.',
      PRICE,
    ],
    columns: [
      ...PLACE.map((column) => (column.name === 'property_id' ? detail(column) : column)),
      day('first_night', 'The Friday.'),
      day('last_night', 'The Saturday.'),
      { name: 'price', unit: 'price', is: 'Price of a night now, in whole units of the currency.' },
      { ...CURRENCY, is: 'Currency of the price.' },
    ],
    filters: { dates: 'first_night', ahead: QUARTER, property: 'column' },
    order: ['first_night', 'property'],
  },
];
