import { agentJsonSchema } from '../../src/config/json-schema.ts';
import { describedKey } from '../../src/config/key-texts.ts';
import { type Schema, table, typeText } from './schema-text.ts';

/** A key of agent.yaml, as its schema describes it. */
export interface Key {
  path: string;
  schema: Schema;
  isRequired: boolean;
}

/** Defaults that depend on other settings, so that the schema cannot hold them; – means no default. */
export const DEFAULT_TEXTS: Readonly<Record<string, string>> = {
  'model.endpoint': "the provider's",
  'model.api_key': "the provider's variable",
  'model.timeout_seconds': '30; local servers 300',
  'instructions.file': '–',
  'instructions.inline': '–',
  'instructions.role': '–',
  'instructions.tools': '–',
  'loop.iteration_timeout_seconds': '30, or more by model',
  'loop.answer_timeout_seconds': '60, or more by model',
  'loop.retry': '–',
  'limits.context_tokens': 'by model',
  'limits.reply_chars': 'by model',
  'tools[].transport': 'required for `mcp`',
  'tools[].server': 'required for `builtin`',
  'tools[].file': 'required for `function` and `space`',
  'tools[].command': 'required for `stdio`',
  'tools[].url': 'required for `http`',
  'tools[].description': 'required for `function`',
  'tools[].parameters': 'no arguments',
  'tools[].allow': 'all',
  'tools[].approve': 'none',
  'tools[].idempotent': 'none',
  'intents.NAME.reply': 'made from the result',
  'observability.otlp_endpoint': '`OTEL_EXPORTER_OTLP_ENDPOINT`',
  'server.max_active_turns_per_user': 'a quarter of `max_active_turns`',
  'server.max_streams_per_user': 'a quarter of `max_active_turns`',
  'server.timezone': "this machine's",
  'server.rate_limit': '–',
  'server.auth.jwt': 'required in `auth`',
  'server.auth.jwt.secret': '–',
  'server.auth.jwt.jwks_file': '–',
  'server.auth.jwt.jwks_url': '–',
  'server.auth.jwt.issuer': 'required in `jwt`',
  'server.auth.jwt.audience': 'required in `jwt`',
};

/** docs/reference/agent-yaml.md: every key with its type, default and description, from the schema that checks the file. */
export function agentYamlPage(): string {
  const { properties = {} } = agentJsonSchema() as Schema; // agentJsonSchema returns a JSON Schema as plain JSON
  const keys = keysOf(agentJsonSchema() as Schema); // as above
  const isSection = (key: Key) => keys.some(({ path }) => path !== key.path && inside(path, key.path));
  const plain = keys.filter((key) => !/[.[]/.test(key.path) && !isSection(key));
  const sections = Object.keys(properties).filter((name) => !plain.some(({ path }) => path === name));
  const parts = sections.map((name) => {
    const rows = keys.filter(({ path }) => inside(path, name) && path !== name && describedKey(path) === path);
    const text = properties[name]?.description;
    return `## ${name}\n\n${text}.${shapeText(properties[name])}\n\n${keyTable(rows)}\n`;
  });
  return `${HEAD}\n${keyTable(plain)}\n\n${parts.join('\n')}`;
}

function shapeText(schema: Schema | undefined): string {
  if (schema?.type === 'array') return ' A list; `[]` in a key stands for one entry.';
  if (typeof schema?.additionalProperties === 'object')
    return ' A map; `NAME` in a key stands for a name of your choice.';
  return '';
}

function keyTable(keys: readonly Key[]): string {
  const rows = keys.map((key) => [
    `\`${key.path}\``,
    typeText(key.schema),
    defaultText(key),
    key.schema.description ?? '',
  ]);
  return table(['key', 'type', 'default', 'description'], rows);
}

function defaultText({ path, schema, isRequired }: Key): string {
  const own = DEFAULT_TEXTS[path];
  if (own !== undefined) return own;
  if (['number', 'boolean', 'string'].includes(typeof schema.default)) return String(schema.default);
  return isRequired ? 'required' : 'none';
}

/** Every key in the order of the schema, once, sections too. Shapes that exclude each other are joined. */
export function keysOf(schema: Schema, path = ''): Key[] {
  const { anyOf = [], oneOf = [], items, additionalProperties: more, properties = {}, required = [] } = schema;
  const found = [
    ...[...anyOf, ...oneOf].flatMap((one) => keysOf(one, path)),
    ...(items ? keysOf(items, `${path}[]`) : []),
    ...(typeof more === 'object' ? keysOf(more, `${path}.NAME`) : []),
    ...Object.entries(properties).flatMap(([name, value]): Key[] => {
      const at = path ? `${path}.${name}` : name;
      if (at === 'tools[].parameters') return [{ path: at, schema: value, isRequired: false }];
      return [{ path: at, schema: value, isRequired: required.includes(name) }, ...keysOf(value, at)];
    }),
  ];
  return joined(found);
}

/** The same key of several shapes becomes one; its types and defaults are collected. */
function joined(keys: readonly Key[]): Key[] {
  const byPath = Map.groupBy(keys, ({ path }) => path);
  return [...byPath.values()].flatMap(([first, ...others]) => {
    if (!first) return [];
    const types = [first, ...others].map(({ schema }) => schema);
    const withDefault = types.find((one) => one.default !== undefined);
    const isOne = new Set(types.map(typeText)).size === 1;
    const { default: _, description, ...rest } = first.schema;
    const schema = isOne ? rest : { anyOf: types };
    const isRequired = [first, ...others].every((key) => key.isRequired);
    return [
      {
        path: first.path,
        isRequired,
        schema: {
          ...schema,
          ...(description !== undefined && { description }),
          ...(withDefault && { default: withDefault.default }),
        },
      },
    ];
  });
}

function inside(path: string, section: string): boolean {
  return path === section || path.startsWith(`${section}.`) || path.startsWith(`${section}[]`);
}

const HEAD = `# agent.yaml, key by key

This page is made from the schema that checks the file (\`npm run docs:write\`). Editors show the same texts with the
schema that \`holodeck schema\` prints. [Write an agent file](../guides/agent-file.md) has an example with every section,
and the rules for variables and for config files.

An unknown key is an error. A value of the form \`\${VAR}\` is filled from the environment, also for a number.
`;
