/** Texts about the look of the account, in English. */
export const brand = {
  title: 'Look',
  hint: 'How the account looks on shared calendars, statements of owners, the page of those who clean, and where you let an application in.',
  preview: 'As others see it',
  plain: 'Plain, with the name of the account. Nothing is set yet.',
  nameOfAccount: 'The name of the account',
  change: 'Change it',
  name: 'Name',
  nameHint: 'Empty: the name of the account.',
  color: 'Color',
  colorHint: '# and six digits, such as #0b57a8. Texts stay readable whatever it is. Empty: none.',
  logo: 'Logo',
  logoHint:
    'PNG or JPEG, at most 256 kB and 2,000 pixels wide and high. Data inside it, such as a place, is taken out.',
  withoutLogo: 'Without the logo from now on',
  saved: 'The look is saved.',
};
