/** Every value that a guest may be asked for, in the order of the form. */
export const registrationFields = [
  'given_name',
  'family_name',
  'nationality',
  'birth_date',
  'birth_place',
  'sex',
  'address',
  'residence',
  'phone',
  'email',
  'document_type',
  'document_number',
  'document_country',
] as const;
export type RegistrationField = (typeof registrationFields)[number];
