import { type Document, isMap, isNode, isPair, isScalar, LineCounter, type Node, parseDocument, visit } from 'yaml';

/** A fault of a YAML document before its keys are read. */
interface YamlFault {
  line: number;
  problem: string;
}

/** Formats a fault for people. */
export function yamlFaultText({ line, problem }: YamlFault): string {
  return `line ${line}: ${problem}`;
}

/** Uses of an anchor at most, because each repeats its contents: a short file must not become a huge value. */
const MOST_ALIASES = 20;

/** Returns the value of a document, or its fault. @param lines the counter that it was parsed with */
export function yamlValue(
  document: Document.Parsed,
  lines: LineCounter,
): { value: unknown; faults?: undefined } | { value?: undefined; faults: YamlFault[] } {
  if (document.errors.length > 0) {
    return {
      faults: document.errors.map(({ pos, message }) => ({
        line: lines.linePos(pos[0]).line,
        problem: message.split('\n')[0] ?? message,
      })),
    };
  }
  const astray = aliasAstray(document);
  if (astray) return { faults: [{ line: lines.linePos(astray.at).line, problem: astray.problem }] };
  try {
    return { value: document.toJS({ maxAliasCount: MOST_ALIASES }) };
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    return { faults: [{ line: 1, problem: `an anchor is named more than ${MOST_ALIASES} times` }] };
  }
}

/** Parses a text for callers that do not need the document. */
export function yamlOf(text: string): ReturnType<typeof yamlValue> {
  const lineCounter = new LineCounter();
  return yamlValue(parseDocument(text, { lineCounter, prettyErrors: false }), lineCounter);
}

/** Finds an alias of a missing anchor, or of one that contains the alias. */
function aliasAstray(document: Document.Parsed): { problem: string; at: number } | undefined {
  let found: { problem: string; at: number } | undefined;
  visit(document, {
    Alias(_key, alias, around) {
      const named = alias.resolve(document);
      if (named !== undefined && !around.includes(named)) return undefined;
      const problem = named ? `&${alias.source} holds itself` : `there is no &${alias.source} before it`;
      found = { problem, at: alias.range?.[0] ?? 0 };
      return visit.BREAK;
    },
  });
  return found;
}

/** Returns the line of the key at a path, or of its nearest existing parent. */
export function lineOf(document: Document, lines: LineCounter, path: readonly PropertyKey[]): number {
  let offset = document.contents?.range?.[0] ?? 0;
  let node: unknown = document.contents;
  for (const step of path) {
    if (isMap(node)) {
      const pair = node.items.find((one) => isPair(one) && isScalar(one.key) && one.key.value === step);
      if (!pair) break;
      offset = startOf(pair.key) ?? offset;
      node = pair.value;
    } else if (isNode(node) && 'items' in node && typeof step === 'number') {
      node = (node.items as unknown[])[step];
      offset = startOf(node) ?? offset;
    } else break;
  }
  return lines.linePos(offset).line;
}

function startOf(node: unknown): number | undefined {
  return isNode(node) ? (node as Node).range?.[0] : undefined;
}
