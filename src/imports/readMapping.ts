import { LineCounter, isAlias, isMap, isSeq, parseDocument, type Document, type Node } from 'yaml';
import { OperatorError } from '../kernel/errors.ts';
import { yamlFaultText, yamlValue } from '../kernel/yamlValue.ts';
import { faultsOf } from './fields/oneWay.ts';
import { mappingSchema, type Mapping } from './mapping.ts';

/** Most problems that are listed. The first ones suffice. */
const MOST_LISTED = 12;

/**
 * Parses a mapping file. Throws an OperatorError that names each problem with its line and key.
 * @param fileName for the message only
 */
export function readMapping(text: string, fileName: string): Mapping {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const { value, faults } = yamlValue(document, lines);
  if (faults) throw unusable(fileName, faults.map(yamlFaultText));
  const result = mappingSchema.safeParse(value);
  if (result.success) return result.data;
  const problems = result.error.issues.flatMap(faultsOf).map(([path, message]) => {
    const key = path.map(String).join('.') || 'the whole file';
    return `line ${lineOf(path, document, lines)}, ${key}: ${tidy(message)}`;
  });
  throw unusable(fileName, problems);
}

function unusable(fileName: string, problems: readonly string[]): OperatorError {
  const listed = problems.slice(0, MOST_LISTED);
  if (listed.length < problems.length) listed.push(`and ${problems.length - listed.length} more`);
  return new OperatorError(
    `${fileName} is not a usable mapping:\n  ${listed.join('\n  ')}`,
    'config/imports/hotel-bookings.yaml shows and explains every key',
  );
}

/** Returns the line of the key at `path`, or of the nearest key above it that the file has. */
function lineOf(path: readonly PropertyKey[], document: Document.Parsed, lines: LineCounter): number {
  let node: unknown = document.contents;
  let offset = document.contents?.range[0] ?? 0;
  for (const step of path) {
    const found = child(isAlias(node) ? node.resolve(document) : node, step);
    if (!found) break;
    node = found.value;
    offset = found.at?.range?.[0] ?? offset;
  }
  return lines.linePos(offset).line;
}

function child(node: unknown, step: PropertyKey): { value: unknown; at: Node | undefined } | undefined {
  if (isSeq<Node>(node) && typeof step === 'number') {
    const item = node.items[step];
    return item && { value: item, at: item };
  }
  if (!isMap<Node, Node>(node)) return undefined;
  const pair = node.items.find((each) => String(each.key) === String(step));
  return pair && { value: pair.value, at: pair.key };
}

function tidy(message: string): string {
  return message === 'Invalid input: expected object, received undefined' ? 'missing' : firstLine(message);
}

function firstLine(message: string): string {
  return message.split('\n')[0]?.replace(/ at line \d+, column \d+:?$/, '') ?? message;
}
