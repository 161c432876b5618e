import { type Document, isMap, parseDocument } from 'yaml';
import { UsageError } from '../kernel/errors.ts';
import { yamlFaultText, yamlOf } from '../kernel/yamlValue.ts';

/**
 * Parses a settings file so that it can be changed; comments, order and all else remain.
 * @param file its name, for the message
 * @throws UsageError if the text is not readable as settings
 */
export function editedYaml(text: string, file: string): Document {
  const [fault] = yamlOf(text).faults ?? [];
  if (fault) throw new UsageError(`${file}: ${yamlFaultText(fault)}`);
  const document: Document = parseDocument(text);
  if (document.contents === null) document.contents = document.createNode({});
  if (!isMap(document.contents)) throw new UsageError(`${file} holds no settings`, 'it must be a YAML map: key: value');
  return document;
}

/** Sets a value at a path; a null, or an empty `{}` on one line, on the way there becomes a section. */
export function setInYaml(document: Document, path: readonly string[], value: unknown): void {
  for (let depth = 1; depth < path.length; depth += 1) {
    const above = path.slice(0, depth);
    const section = document.getIn(above, true);
    if (isMap(section) && section.items.length > 0) continue;
    const below = path.slice(depth).reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
    document.setIn(above, document.createNode(below));
    return;
  }
  // A plain value takes the place of the one before, whose comment stays.
  document.setIn(path, typeof value === 'object' ? document.createNode(value) : value);
}
