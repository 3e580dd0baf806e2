import { Provider, providerFacts } from '../schema/provider.ts';
import plainTexts from './key-texts.json' with { type: 'json' };

const USUAL_VARIABLES = Provider.options
  .flatMap((id) => providerFacts(id).keyVariables?.map(toCode).join(' or ') ?? [])
  .join(', ');

/**
 * The description of every key of agent.yaml, by its path. Editors show it through `holodeck schema`, and the table in
 * docs/reference/agent-yaml.md is generated from it. `[]` is an entry of a list, `NAME` a key of the author's choice.
 */
export const KEY_TEXTS: Readonly<Record<string, string>> = {
  $schema: 'Address of the JSON Schema for editors; HoloDeck ignores it',
  name: 'Name of the agent: a letter, then letters, digits, `-` and `_`; at most 64',
  description: 'Purpose of the agent, in a line',
  model: 'Model that answers; absent = the one of `holodeck use`, else the built-in one, which needs no key',
  'model.provider': `${Provider.options.slice(0, -1).map(toCode).join(', ')} or ${toCode(Provider.options.at(-1) ?? '')}`,
  'model.name': 'Name of the model, such as gemini-2.5-flash; needed for every provider but `builtin`',
  'model.endpoint':
    'Address of the API, such as http://localhost:11434/v1; needed for `openai_compatible` and `azure_openai`',
  'model.api_key': `Key of the provider, always as a variable; absent = the usual variable of the provider, exported or in \`.env\` next to the file: ${USUAL_VARIABLES}. \`ollama\`, \`lmstudio\`, \`docker\`, \`llamacpp\` and \`openai_compatible\` may need none; the last takes the usual variable of the vendor whose address it names`,
  'model.temperature': "Randomness of replies: 0 to 2; Gemini models 0 to 1; absent = the provider's own",
  'model.max_tokens': "Longest reply, in tokens; absent = the provider's own",
  'model.reasoning_effort':
    'How much a reasoning model thinks: `none`, `minimal`, `low`, `medium`, `high`, `xhigh` or `max`',
  'model.headers': 'Headers of every request; secrets as variables; not `authorization` and `host`',
  'model.extra_body': 'Fields put over the body of every request; not `messages`, `tools`, `model` and `stream`',
  'model.json_mode':
    'How `response_format` reaches the model: `schema` (default), `object` for servers that only know "some JSON object", `prompt` for those that know neither',
  'model.vision':
    'Whether the model reads pictures; absent = known by provider and name. Without vision it gets the text in them',
  'model.price':
    'Price of the model in dollars per million tokens, for costs; absent = the list price, where one is known',
  'model.price.in': 'Input',
  'model.price.out': 'Output, reasoning included',
  'model.price.cached': "Input that is read from the provider's cache; absent = `in`",
  'model.price.cache_write': "Input that is written to the provider's cache; absent = `in`",
  'model.timeout_seconds':
    'Longest time of one attempt, so also of its first byte and of a pause; a larger value raises the limits of `loop` that are not set',
  'model.fallback': 'Model that is asked when this one fails; it has the same keys',
  instructions:
    'System prompt: a text, `file`, `inline`, or parts with `role` and `tools`. If a tool is bound to the user, one sentence must have the words "user" and "only"',
  'instructions.file': 'Text file beside agent.yaml that holds the prompt',
  'instructions.inline': 'The prompt itself',
  'instructions.role': 'Role of the agent; needs `tools` beside it',
  'instructions.rules': 'Rules that it must keep; one needs the words "user" and "only" if a tool is bound to the user',
  'instructions.guidelines': 'Style of the answers; `check` gives a hint when no line asks for brevity',
  'instructions.tools': 'When to use which tool; needs `role` beside it',
  loop: 'Bounds of one turn',
  'loop.max_iterations': 'Model replies in a turn, 1 to 50; at the limit one last reply sums up',
  'loop.iteration_timeout_seconds':
    'Longest time of one model reply with its retries; absent = 30, or the time of one attempt if that is more',
  'loop.tool_timeout_seconds': 'Longest time of one tool call',
  'loop.question_timeout_seconds': 'Time after which a question of a running tool is declined',
  'loop.answer_timeout_seconds':
    'Time by which the answer is sent, with the results that are there; absent = 60, or 30 more than one attempt if that is more',
  'loop.parallel_tool_calls': 'Calls of one reply that run at the same time',
  'loop.retry': 'Repetition of failed calls of read-only and idempotent tools, and of no others',
  'loop.retry.enabled': 'Whether failed calls of read-only and idempotent tools are repeated',
  'loop.retry.attempts': 'Number of extra tries',
  limits: 'Sizes of texts',
  'limits.message_chars': 'Longest message of a user, in characters',
  'limits.history_messages': 'Messages of the conversation that the model is sent',
  'limits.tool_output_chars': 'Characters of one tool result that the model is sent; it can ask for the rest',
  'limits.context_tokens':
    'Tokens that the model can read at once; history is shortened to fit (128,000 when absent; 32,768 with ollama, and at most what the model can read; 8,000 with the other local servers)',
  'limits.reply_chars':
    'Characters of one model reply, with reasoning and arguments; a longer one is cut and ends as `length` (when absent 8 × `max_tokens`, at least 256,000); the memory for a running reply is about 8 bytes for each of its characters',
  'limits.delegations': 'Delegations of one message, over all levels of the team',
  'limits.depth': 'Levels of delegation: 1 lets only the agent itself delegate',
  'limits.calls_per_reply': 'Tool calls of one model reply that are run; the rest fails, and the model reads why',
  tools: 'Function tools beside the file, and MCP servers',
  'tools[].name': 'Name of the entry; no two entries share one',
  'tools[].type': '`mcp` for a server of tools, `function` for one function of yours',
  'tools[].transport': '`builtin` ships with HoloDeck, `stdio` starts a program, `http` calls an address',
  'tools[].file': "The function's code, or the YAML of a space, beside agent.yaml",
  'tools[].command': 'Program of the server, started without a shell',
  'tools[].args': 'Arguments of the program',
  'tools[].env': 'Environment of the program or function, beside an allow-listed one; secrets as variables',
  'tools[].url': 'Address of the server',
  'tools[].headers': 'Headers of every request; secrets as variables',
  'tools[].auth': '`oauth`: each user logs in to the server; forces `connection: per_user`',
  'tools[].oauth': 'Settings of `auth: oauth`; all are optional',
  'tools[].oauth.client_id': 'Client that you registered by hand; absent = HoloDeck registers itself',
  'tools[].oauth.client_secret': 'Its secret, as a variable',
  'tools[].oauth.issuer': 'The only login server that is accepted',
  'tools[].oauth.client_metadata_url': 'The https address of a client metadata document, used as client id',
  'tools[].oauth.scopes': 'Scopes to ask for, if the server names none',
  'tools[].oauth.allowed_hosts': 'Hosts of the login that may be in a private network',
  'tools[].allow': 'Tools of the server that are offered, and no others',
  'tools[].bind': 'Argument path → `$user.id` or `$user.name`: HoloDeck fills it in and hides it from the model',
  'tools[].unbound': 'Tools that may be offered although they lack the bound argument',
  'tools[].connection':
    '`shared`, or `per_user`, which is forced by `auth: oauth` and when a header or env value uses `$user.*`',
  'tools[].approve': 'Tools that ask the human first; for a function `true`',
  'tools[].idempotent': 'Tools that are safe to repeat; for a function `true`',
  'tools[].prefix':
    "Put before each tool's name, such as `shop_`, where two servers have the same names; `allow`, `approve`, `idempotent` and `unbound` keep the server's own names",
  'tools[].function': 'Export of the file that is the function',
  'tools[].description': 'Purpose of the function, as the model reads it; of a server, a note for people',
  'tools[].parameters': 'Arguments of the function, as JSON Schema of an object, or as a map of its properties',
  intents: 'Kinds of requests by name, with examples; the built-in model chooses tools by them',
  'intents.NAME.tool': "Tool that the intent calls; the todo agent's five intents find theirs",
  'intents.NAME.examples': 'Sentences of people that mean it',
  'intents.NAME.keywords': 'Words that point to it',
  'intents.NAME.reply': 'Answer to the user, with `{field}` filled in from the call',
  domains: 'Data domains that questions are routed to',
  'domains[].name': 'Name in snake_case; no two domains share one',
  'domains[].display_name': 'Name as people read it',
  'domains[].description': 'Subject of the domain; routing reads it',
  'domains[].capabilities': 'Questions that it can answer; routing reads them',
  'domains[].mcp_tools': 'Tools that answer its questions: one, or a query and a poll',
  'domains[].related_domains': 'Other domains that suggestions lead to',
  'domains[].enabled': 'Whether the domain is asked and shown',
  // biome-ignore lint/suspicious/noThenProperty: a key of agent.yaml
  then: 'Members that read each answer before it is sent, in order',
  'then[].agent': 'Name of the member',
  'then[].required': 'Withholds an answer that the member could not read; otherwise it is sent with a warning',
  starters: 'Things to try, shown on the first screen',
  response_format:
    'JSON Schema of every answer, or the name of a JSON file that holds it. The answer is checked; the model may correct it once. Needs another model than the built-in one',
  ...plainTexts,
  database:
    'A PostgreSQL that several servers share, as `postgres://user:password@host:port/name`; several hosts separated by commas. Absent: `DATABASE_URL`, else SQLite in the data folder',
};

/** Sections with the keys of another section, each with the one that describes them. */
const REPEATED: readonly (readonly [RegExp, string])[] = [
  [/^test_cases\[\]\.(?:turns\[\]\.)?evaluations\[\]\./, 'evaluations.metrics[].'],
  [/^test_cases\[\]\.turns\[\]\./, 'test_cases[].'],
  [/^test_cases\[\]\.(?:expected|forbidden)_.*\.(fuzzy|regex)$/, 'test_cases[].expected_tools[].args.NAME.$1'],
  [/^agents\.NAME\.(?=(?:model|loop|limits|instructions)\.)/, ''],
  [/^(?:model\.fallback|evaluations\.model|evaluations\.metrics\[\]\.model)\./, 'model.'],
];

/** The key that describes a path: a fallback has the keys of the model, a turn those of a case. */
export function describedKey(path: string): string {
  return REPEATED.reduce((key, [section, other]) => key.replace(section, other), path);
}

function toCode(word: string): string {
  return `\`${word}\``;
}
