import { setTimeout as wait } from 'node:timers/promises';
import {
  acceptedContent,
  completable,
  createRequestStateCodec,
  inputRequired,
  inputResponse,
  McpServer,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';

/** One red pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
/** A WAV file without a sample. */
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=';
const STEP_MS = 50;

const text = (words: string) => ({ content: [{ type: 'text' as const, text: words }] });
const states = createRequestStateCodec({ key: 'a key that is known to everybody, for tests alone' });

/** What the conformance suite wants to find behind a server: its named tools, resources and prompts. */
export function fixtureServer(): McpServer {
  const server = new McpServer(
    { name: 'stayd-conformance-fixture', version: '1' },
    {
      capabilities: {
        logging: {},
        tools: { listChanged: false },
        prompts: { listChanged: false },
        resources: { listChanged: false, subscribe: true },
        completions: {},
      },
      requestState: { verify: states.verify },
    },
  );
  addContents(server);
  addQuestions(server);
  addRounds(server);
  addResources(server);
  addPrompts(server);
  return server;
}

function addContents(server: McpServer): void {
  const image = { type: 'image' as const, data: PNG, mimeType: 'image/png' };
  const simple = (name: string, work: (context: ServerContext) => object) =>
    server.registerTool(
      name,
      { description: `Answers as ${name} of the suite.` },
      async (context) => work(context) as any,
    );
  simple('test_simple_text', () => text('This is a simple text response for testing.'));
  simple('test_image_content', () => ({ content: [image] }));
  simple('test_audio_content', () => ({ content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }] }));
  simple('test_embedded_resource', () => ({
    content: [
      {
        type: 'resource',
        resource: {
          uri: 'test://embedded-resource',
          mimeType: 'text/plain',
          text: 'This is an embedded resource content.',
        },
      },
    ],
  }));
  simple('test_multiple_content_types', () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      image,
      {
        type: 'resource',
        resource: {
          uri: 'test://mixed-content-resource',
          mimeType: 'application/json',
          text: JSON.stringify({ test: 'data', value: 123 }),
        },
      },
    ],
  }));
  simple('test_error_handling', () => {
    throw new Error('This tool intentionally returns an error for testing');
  });
  for (const name of ['test_tool_with_logging', 'test_logging_tool']) {
    simple(name, async ({ mcpReq }) => {
      await mcpReq.log('info', 'Tool execution started');
      await wait(STEP_MS);
      await mcpReq.log('info', 'Tool processing data');
      await wait(STEP_MS);
      await mcpReq.log('info', 'Tool execution completed');
      return text('logged');
    });
  }
  simple('test_tool_with_progress', async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined) {
        await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } });
      }
      await wait(STEP_MS);
    }
    return text('done');
  });
}

/** What 2025 servers ask while a call is under way. */
function addQuestions(server: McpServer): void {
  server.registerTool(
    'test_sampling',
    { description: 'Asks the model of the client.', inputSchema: z.object({ prompt: z.string() }) },
    async ({ prompt }, { mcpReq }) => {
      const { content } = await mcpReq.requestSampling({
        messages: [{ role: 'user', content: { type: 'text', text: prompt } }],
        maxTokens: 100,
      });
      return text(`LLM response: ${JSON.stringify(content)}`);
    },
  );
  server.registerTool(
    'test_elicitation',
    { description: 'Asks the person.', inputSchema: z.object({ message: z.string() }) },
    async ({ message }, { mcpReq }) => {
      const answer = await mcpReq.elicitInput({
        message,
        requestedSchema: {
          type: 'object',
          properties: {
            username: { type: 'string', description: 'User’s response' },
            email: { type: 'string', description: 'User’s email address' },
          },
          required: ['username', 'email'],
        },
      });
      return text(`User response: ${JSON.stringify(answer)}`);
    },
  );
  const asks = (name: string, properties: object) =>
    server.registerTool(name, { description: `Asks the form of ${name}.` }, async ({ mcpReq }) => {
      const requestedSchema = { type: 'object', properties } as any;
      const { action, content } = await mcpReq.elicitInput({ message: 'Please fill in', requestedSchema });
      return text(`Elicitation completed: action=${action}, content=${JSON.stringify(content)}`);
    });
  asks('test_elicitation_sep1034_defaults', {
    name: { type: 'string', default: 'John Doe' },
    age: { type: 'integer', default: 30 },
    score: { type: 'number', default: 95.5 },
    status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', default: true },
  });
  const titled = (kind: string, word: string) =>
    ['First', 'Second', 'Third'].map((nth, index) => ({ const: `${kind}${index + 1}`, title: `${nth} ${word}` }));
  asks('test_elicitation_sep1330_enums', {
    untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
    titledSingle: { type: 'string', oneOf: titled('value', 'Option') },
    legacyEnum: {
      type: 'string',
      enum: ['opt1', 'opt2', 'opt3'],
      enumNames: ['Option One', 'Option Two', 'Option Three'],
    },
    untitledMulti: { type: 'array', items: { type: 'string', enum: ['option1', 'option2', 'option3'] } },
    titledMulti: { type: 'array', items: { anyOf: titled('value', 'Choice') } },
  });
}

function form(message: string, field: string, value: { type: 'string' } | { type: 'boolean' } = { type: 'string' }) {
  return inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties: { [field]: value }, required: [field] },
  });
}

function question(words: string, maxTokens: number) {
  return inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text: words } }],
    maxTokens,
  });
}

/** What servers of 2026 give back to be answered. */
function addRounds(server: McpServer): void {
  const round = (name: string, work: (context: ServerContext) => unknown) =>
    server.registerTool(name, { description: `Goes the rounds of ${name}.` }, async (context) => work(context) as any);
  const askName = (key: string, message: string) => inputRequired({ inputRequests: { [key]: form(message, 'name') } });
  for (const name of ['test_input_required_result_elicitation', 'test_streaming_elicitation']) {
    round(name, ({ mcpReq }) => {
      const given = acceptedContent(mcpReq.inputResponses, 'user_name', z.object({ name: z.string() }));
      return given ? text(`Hello, ${given.name}!`) : askName('user_name', 'What is your name?');
    });
  }
  round('test_input_required_result_sampling', ({ mcpReq }) => {
    const answer = inputResponse(mcpReq.inputResponses, 'capital_question');
    if (answer.kind === 'sampling') return text(JSON.stringify(answer.result));
    return inputRequired({ inputRequests: { capital_question: question('What is the capital of France?', 100) } });
  });
  round('test_missing_capability', () => inputRequired({ inputRequests: { needed: question('Are you there?', 10) } }));
  round('test_input_required_result_list_roots', ({ mcpReq }) => {
    const answer = inputResponse(mcpReq.inputResponses, 'client_roots');
    if (answer.kind === 'roots') return text(`Roots: ${JSON.stringify(answer.roots)}`);
    return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
  });
  for (const name of ['test_input_required_result_request_state', 'test_input_required_result_tampered_state']) {
    round(name, async ({ mcpReq }) => {
      const answer = inputResponse(mcpReq.inputResponses, 'confirm');
      if (answer.kind === 'elicit' && mcpReq.requestState() === name) return text('state-ok');
      return inputRequired({
        inputRequests: { confirm: form('Please confirm', 'ok', { type: 'boolean' }) },
        requestState: await states.mint(name),
      });
    });
  }
  round('test_input_required_result_multiple_inputs', async ({ mcpReq }) => {
    const kinds = ['user_name', 'greeting', 'client_roots'].map(
      (key) => inputResponse(mcpReq.inputResponses, key).kind,
    );
    if (mcpReq.requestState() === 'several' && !kinds.includes('missing')) return text(kinds.join(', '));
    return inputRequired({
      inputRequests: {
        user_name: form('What is your name?', 'name'),
        greeting: question('Generate a greeting', 50),
        client_roots: inputRequired.listRoots(),
      },
      requestState: await states.mint('several'),
    });
  });
  round('test_input_required_result_multi_round', async ({ mcpReq }) => {
    const given = (key: string) => inputResponse(mcpReq.inputResponses, key).kind === 'elicit';
    const state = mcpReq.requestState();
    if (state === 'second' && given('step2')) return text('Both steps are done.');
    const isSecond = state === 'first' && given('step1');
    return inputRequired({
      inputRequests: isSecond
        ? { step2: form('Step 2: What is your favorite color?', 'color') }
        : { step1: form('Step 1: What is your name?', 'name') },
      requestState: await states.mint(isSecond ? 'second' : 'first'),
    });
  });
  round('test_input_required_result_capabilities', ({ mcpReq }) => {
    if (Object.keys(mcpReq.inputResponses ?? {}).length > 0) return text('answered');
    const can = server.server.getClientCapabilities() ?? {};
    const inputRequests = {
      ...(can.elicitation && { user_name: form('What is your name?', 'name') }),
      ...(can.sampling && { greeting: question('Generate a greeting', 50) }),
      ...(can.roots && { client_roots: inputRequired.listRoots() }),
    };
    return Object.keys(inputRequests).length > 0 ? inputRequired({ inputRequests }) : text('nothing can be asked');
  });
}

function addResources(server: McpServer): void {
  server.registerResource(
    'static-text',
    'test://static-text',
    { description: 'A text', mimeType: 'text/plain' },
    async ({ href }) => ({
      contents: [{ uri: href, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }],
    }),
  );
  server.registerResource(
    'static-binary',
    'test://static-binary',
    { description: 'A picture', mimeType: 'image/png' },
    async ({ href }) => ({ contents: [{ uri: href, mimeType: 'image/png', blob: PNG }] }),
  );
  server.registerResource(
    'watched',
    'test://watched-resource',
    { description: 'A text to watch', mimeType: 'text/plain' },
    async ({ href }) => ({ contents: [{ uri: href, mimeType: 'text/plain', text: 'Watched resource content.' }] }),
  );
  server.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { description: 'Data by id', mimeType: 'application/json' },
    async ({ href }, { id }) => ({
      contents: [
        {
          uri: href,
          mimeType: 'application/json',
          text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${String(id)}` }),
        },
      ],
    }),
  );
  for (const method of ['resources/subscribe', 'resources/unsubscribe'] as const) {
    server.server.setRequestHandler(method, () => ({}));
  }
}

function addPrompts(server: McpServer): void {
  const said = (words: string) => ({ role: 'user' as const, content: { type: 'text' as const, text: words } });
  server.registerPrompt('test_simple_prompt', { description: 'No arguments' }, async () => ({
    messages: [said('This is a simple prompt for testing.')],
  }));
  const argument = (what: string) =>
    completable(z.string().describe(what), (value) =>
      ['paris', 'park', 'party'].filter((one) => one.startsWith(value)),
    );
  server.registerPrompt(
    'test_prompt_with_arguments',
    {
      description: 'Two arguments',
      argsSchema: z.object({ arg1: argument('First test argument'), arg2: argument('Second test argument') }),
    },
    async ({ arg1, arg2 }) => ({ messages: [said(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)] }),
  );
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'A resource inside', argsSchema: z.object({ resourceUri: z.string() }) },
    async ({ resourceUri }) => ({
      messages: [
        {
          role: 'user',
          content: {
            type: 'resource',
            resource: {
              uri: resourceUri,
              mimeType: 'text/plain',
              text: 'Embedded resource content for testing.',
            },
          },
        },
        said('Please process the embedded resource above.'),
      ],
    }),
  );
  server.registerPrompt('test_prompt_with_image', { description: 'A picture inside' }, async () => ({
    messages: [
      { role: 'user', content: { type: 'image', data: PNG, mimeType: 'image/png' } },
      said('Please analyze the image above.'),
    ],
  }));
  server.registerPrompt('test_input_required_result_prompt', { description: 'Asks first' }, async ({ mcpReq }) => {
    const given = acceptedContent(mcpReq.inputResponses, 'user_context', z.object({ context: z.string() }));
    if (given) return { messages: [said(given.context)] };
    const user_context = form('What context should the prompt use?', 'context');
    return inputRequired({ inputRequests: { user_context } });
  });
}
