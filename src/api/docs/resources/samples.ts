import { exampleRequest } from '../../../contract/example.ts';
import type { Operation } from '../../../contract/operation.ts';
import { type Html, html } from '../../../kernel/markup/html.ts';
import { codeBlock } from '../frame/code.ts';

/** A request in one language; `$URL` and `$TOKEN` of its environment are the reader's own. */
interface Sample {
  readonly language: string;
  readonly title: string;
  readonly text: string;
}

type Request = ReturnType<typeof exampleRequest> & {
  /** False for the few operations whose fields prove who asks. */
  readonly needsToken: boolean;
};

/** Returns the example of an operation as a program in each language. */
export function samplesOf(operation: Operation): readonly Sample[] {
  const request = { ...exampleRequest(operation), needsToken: operation.scope !== 'open' };
  return [
    { language: 'curl', title: 'curl', text: curlOf(request) },
    { language: 'typescript', title: 'TypeScript', text: typeScriptOf(request) },
    { language: 'python', title: 'Python', text: pythonOf(request) },
  ];
}

/** Renders the samples, one below the other; a script shows the chosen one alone. */
export function sampleBlocks(operation: Operation): Html {
  const samples = samplesOf(operation);
  return html`<div class="samples">
    <div class="tabs scripted" role="group" aria-label="Language">
      ${samples.map(
        ({ language, title }) =>
          html`<button type="button" class="second small" data-choose="${language}" aria-pressed="false">
            ${title}
          </button>`,
      )}
    </div>
    ${samples.map(({ language, title, text }) => codeBlock(text, { language, title }))}
  </div>`;
}

function curlOf({ method, path, body, needsToken }: Request): string {
  const isImplied = method === 'GET' || (method === 'POST' && body !== null);
  const lines = [`curl -s${isImplied ? '' : ` -X ${method}`} "$URL/v3${path}"`];
  if (needsToken) lines.push('-H "Service-Access-Token: $TOKEN"');
  if (body) {
    const text = JSON.stringify(body, null, 2).replaceAll("'", String.raw`'\''`);
    lines.push("-H 'Content-Type: application/json'", `-d '${indented(text)}'`);
  }
  return lines.join(' \\\n  ');
}

function typeScriptOf({ method, path, body, needsToken }: Request): string {
  const headers = [
    ...(needsToken ? ["'Service-Access-Token': process.env.TOKEN ?? ''"] : []),
    ...(body ? ["'Content-Type': 'application/json'"] : []),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(headers.length > 0 ? [`  headers: { ${headers.join(', ')} },`] : []),
    ...(body ? [`  body: JSON.stringify(${indented(JSON.stringify(body, null, 2))}),`] : []),
  ];
  const rest = options.length === 0 ? '' : `, {\n${options.join('\n')}\n}`;
  return `const answer = await fetch(\`\${process.env.URL}/v3${path}\`${rest});
const { error_code, error_msg, data } = (await answer.json()) as {
  error_code: number;
  error_msg: string;
  data?: unknown;
};
if (error_code !== 200) throw new Error(\`\${error_code} \${error_msg}\`);
console.log(JSON.stringify(data ?? null, null, 2));`;
}

function pythonOf({ method, path, body, needsToken }: Request): string {
  const headers = [
    ...(needsToken ? ['"Service-Access-Token": os.environ["TOKEN"]'] : []),
    ...(body ? ['"Content-Type": "application/json"'] : []),
  ];
  const options = [
    `    os.environ["URL"] + ${JSON.stringify(`/v3${path}`)},`,
    ...(method === 'GET' ? [] : [`    method="${method}",`]),
    ...(headers.length > 0 ? [`    headers={${headers.join(', ')}},`] : []),
    ...(body ? [`    data=json.dumps(${pythonLiteral(body, '    ')}).encode(),`] : []),
  ];
  return `import json, os, urllib.request

request = urllib.request.Request(
${options.join('\n')}
)
with urllib.request.urlopen(request) as response:
    answer = json.load(response)
if answer["error_code"] != 200:
    raise SystemExit(f"{answer['error_code']} {answer['error_msg']}")
print(json.dumps(answer.get("data"), indent=2))`;
}

function indented(text: string): string {
  return text.replaceAll('\n', '\n  ');
}

/** Writes a JSON value as Python does; the texts of the two are alike. */
function pythonLiteral(value: unknown, indent: string): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  const inner = `${indent}    `;
  const lines = Array.isArray(value)
    ? value.map((one: unknown) => `${inner}${pythonLiteral(one, inner)},`)
    : Object.entries(value).map(([key, one]) => `${inner}${JSON.stringify(key)}: ${pythonLiteral(one, inner)},`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  return lines.length === 0 ? `${open}${close}` : `${open}\n${lines.join('\n')}\n${indent}${close}`;
}
