/** Names and messages of simulated people. */

export const FIRST_NAMES = [
  'Ada',
  'Bruno',
  'Chiara',
  'Dmitri',
  'Elif',
  'Femi',
  'Greta',
  'Hugo',
  'Ines',
  'Jun',
  'Kaja',
  'Luc',
  'Mira',
  'Noor',
] as const;
export const LAST_NAMES = [
  'Arnold',
  'Berg',
  'Costa',
  'Diaz',
  'Endo',
  'Fischer',
  'Garcia',
  'Holm',
  'Ivanov',
  'Jansen',
  'Kovac',
  'Lindqvist',
] as const;
export const COUNTRIES = ['DE', 'FR', 'GB', 'IT', 'NL', 'NO', 'PL', 'US'] as const;
export const INQUIRIES = [
  'Is it free on these days?',
  'We are two families; would that fit?',
  'Could you do something about the price for these nights?',
  'Are dogs welcome?',
] as const;
export const QUESTIONS = [
  'What time can we check in?',
  'Is there parking near the house?',
  'Do you have a cot for a baby?',
  'How do we get the keys?',
  'Is the wifi good enough for calls?',
  'This is the car we come with. Is there room for it?',
] as const;
export const ANSWERS = [
  'Yes, certainly.',
  'We will send you the details two days before.',
  'Gladly, thank you for asking.',
  'Please see the house manual on the kitchen table.',
] as const;
export const PRAISE = [
  'Lovely place, we will be back.',
  'Clean and quiet.',
  'As described.',
  'A little noisy at night.',
  'The view alone is worth it.',
] as const;
export const FEEDBACK = ['The tap in the bathroom drips.', 'One chair is broken.', 'A second key would help.'] as const;
export const REPLIES = ['Thank you, come again.', 'Thank you; the windows are being changed.'] as const;
export const ABOUT_GUESTS = [
  'Friendly guests who left everything tidy.',
  'Good communication, welcome back.',
  'All went well.',
] as const;
export const POLICIES = ['flexible', 'moderate', 'firm', 'strict'] as const;
export const CATEGORIES = ['cleanliness', 'accuracy', 'communication', 'location'] as const;
/** Lists whose lengths have no common divisor, so that combinations repeat late. */
export const PLACES = ['Harbour', 'Lake', 'Mill', 'Garden', 'Market', 'River', 'Castle'] as const;
export const PROPERTY_NAMES = ['Loft', 'Cottage', 'PlayedProperty', 'Apartment', 'Studio'] as const;
