import { editedYaml } from './editedYaml.ts';

/**
 * Returns the text of a settings file without a connection; comments, order and all else remain.
 * @throws UsageError if the text is not readable as settings
 */
export function withoutConnection(text: string, file: string, name: string): string {
  const document = editedYaml(text, file);
  document.deleteIn(['connections', name]);
  return String(document);
}
