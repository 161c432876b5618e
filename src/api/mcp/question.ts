import type { Authenticated } from '../../core/accounts/authenticate.ts';
import type { Service } from '../http/pipeline.ts';
import { subjectsOf } from './subjects.ts';
import type { McpTool } from './tools.ts';
import { inFull, quoted } from './visibleText.ts';

/** The argument whose content tells a reader nothing. */
const PICTURE = 'jpeg_base64';
/**
 * Formats the question about a call, with every argument in full and the guests and things that it concerns, because
 * the person who agrees must see them. Names are looked up with the caller's rights.
 */
export async function questionOf(
  service: Service,
  who: Authenticated,
  { tool, args }: { tool: McpTool; args: Readonly<Record<string, unknown>> },
): Promise<string> {
  const subjects = await subjectsOf(service, who, tool, args);
  const lines = Object.entries(args).map(([name, value]) => {
    const subject = subjects.get(name);
    return `${inFull(name)}: ${shown(name, value)}${subject === undefined ? '' : ` (${subject})`}`;
  });
  const { title, name } = tool.definition;
  return [`${title ?? name} in the account ${inFull(who.account.name)}? ${tool.operation.summary}`, ...lines].join(
    '\n',
  );
}

function shown(name: string, value: unknown): string {
  if (name !== PICTURE || typeof value !== 'string') return quoted(value);
  return `a picture of ${Math.floor((value.length * 3) / 4)} bytes`;
}
