import type { Authenticated } from '../../core/accounts/authenticate.ts';
import type { Service } from '../http/pipeline.ts';
import { subjectsOf } from './subjects.ts';
import type { McpTool } from './tools.ts';
import { inFull, quoted } from './visibleText.ts';

/** Arguments that say nothing to a reader, however long they are looked at. */
const PICTURE = 'jpeg_base64';
/**
 * What is about to happen, with every argument in full and with whom and what it is about: who agrees must see what to.
 * What the arguments name is looked up by what the caller may see.
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
