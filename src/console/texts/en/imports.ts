/** Texts of import in English. */
export const imports = {
  title: 'Import a file',
  hint: 'Reservations of another system, from a CSV file (also gzipped) or an XLSX workbook.',
  file: 'File',
  fileHint: 'Nothing is stored yet; the file is forgotten after a week.',
  look: 'Look at it',
  read: (name: string) => `${name} is read.`,
  check: 'Is this right?',
  checkHint:
    'This is what each column would be taken for, with what is in doubt and the first rows. Nothing is stored yet.',
  mapping: 'Change what the columns are taken for',
  mappingHint: 'The mapping; the guide on imports explains every line of it.',
  run: 'Import',
  other: 'Another file',
  begun: 'The import goes on; this page shows how far it is.',
};
