import { editedYaml, setInYaml } from './editedYaml.ts';

/** Settings to write. */
export type Written = Readonly<Record<string, unknown>>;

/**
 * Returns the text of a settings file with one more connection, or with new values for an existing one; comments, order
 * and all else remain.
 * @param more further settings, added if the file lacks them
 * @throws UsageError if the text is not readable as settings
 */
export function withConnection(text: string, file: string, name: string, connection: Written, more: Written): string {
  const document = editedYaml(text, file);
  for (const [key, value] of Object.entries(more))
    if (!document.has(key)) document.set(key, document.createNode(value));
  for (const [key, value] of Object.entries(connection)) setInYaml(document, ['connections', name, key], value);
  return String(document);
}
