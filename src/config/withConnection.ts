import { type Document, isMap, parseDocument } from 'yaml';
import { yamlFaultText, yamlOf } from '../kernel/yamlValue.ts';
import { UsageError } from '../kernel/errors.ts';

/** Settings to write. */
export type Written = Readonly<Record<string, unknown>>;

/**
 * Returns the text of a settings file with one more connection, or with new values for an existing one; comments, order
 * and all else remain.
 * @param more further settings, added if the file lacks them
 * @throws UsageError if the text is not readable as settings
 */
export function withConnection(text: string, file: string, name: string, connection: Written, more: Written): string {
  const [fault] = yamlOf(text).faults ?? [];
  if (fault) throw new UsageError(`${file}: ${yamlFaultText(fault)}`);
  const document: Document = parseDocument(text);
  if (document.contents === null) document.contents = document.createNode({});
  if (!isMap(document.contents)) throw new UsageError(`${file} holds no settings`, 'it must be a YAML map: key: value');
  for (const [key, value] of Object.entries(more))
    if (!document.has(key)) document.set(key, document.createNode(value));
  const connections = document.get('connections', true);
  // A null, or an empty `{}` on one line, becomes a section.
  if (!isMap(connections) || connections.items.length === 0) {
    document.set('connections', document.createNode({ [name]: connection }));
    return String(document);
  }
  for (const [key, value] of Object.entries(connection)) document.setIn(['connections', name, key], value);
  return String(document);
}
