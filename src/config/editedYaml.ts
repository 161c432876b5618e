import { type Document, isMap, isScalar, parseDocument } from 'yaml';
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
  const place: unknown[] = [];
  for (const [depth, name] of path.entries()) {
    const section = place.length === 0 ? document.contents : document.getIn(place, true);
    if (depth > 0 && !(isMap(section) && section.items.length > 0)) {
      const below = path.slice(depth).reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
      document.setIn(place, document.createNode(below));
      return;
    }
    place.push(keyIn(section, name));
  }
  // A plain value takes the place of the one before, whose comment stays.
  document.setIn(place, typeof value === 'object' ? document.createNode(value) : value);
}

/** Returns the key of this name as the section has it: a number stands in a file as a number. */
function keyIn(section: unknown, name: string): unknown {
  const keys = isMap(section) ? section.items.map(({ key }) => (isScalar(key) ? key.value : key)) : [];
  return keys.find((key) => String(key) === name) ?? name;
}
