import { type Document, isMap, parseDocument } from 'yaml';
import { yamlFaultText, yamlOf } from '../kernel/yamlValue.ts';
import { UsageError } from '../kernel/errors.ts';

/** Settings as they are to be written. */
export type Written = Readonly<Record<string, unknown>>;

/**
 * The text of a file of settings with a connection more, or with new values for one that is there; comments, order and
 * all else stay as they are.
 * @param more settings to be added beside it, where the file does not have them
 * @throws UsageError where the text cannot be read as settings
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
  // A null there, or an empty `{}` on one line, becomes a section.
  if (!isMap(connections) || connections.items.length === 0) {
    document.set('connections', document.createNode({ [name]: connection }));
    return String(document);
  }
  for (const [key, value] of Object.entries(connection)) document.setIn(['connections', name, key], value);
  return String(document);
}
