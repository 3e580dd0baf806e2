import { openApiDocument } from '../../src/server/openapi/openapi.ts';
import { type Schema, table, typeText } from './schema-text.ts';

interface Parameter {
  name: string;
  in: string;
  schema: Schema;
  description?: string;
}

interface Content {
  [mediaType: string]: { schema: Schema };
}

interface Operation {
  tags: string[];
  summary: string;
  description?: string;
  security?: unknown[];
  parameters: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, { description?: string; content?: Content }>;
  /** Responses that only a header of the caller brings. */
  'x-responses'?: Record<string, { content: Record<string, { schema: Schema }> }>;
}

/** docs/reference/routes.md: every route and every shape, from the OpenAPI document that the server sends. */
export function routesPage(): string {
  const { paths, tags, components } = openApiDocument();
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    // describe() of the OpenAPI document writes these fields.
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation: operation as Operation })),
  );
  const groups = tags.map(({ name, description }) => {
    const own = routes.filter(({ operation }) => operation.tags.includes(name));
    return `## ${description.replace(/\.$/, '')}\n\n${own.map(routeText).join('\n')}`;
  });
  return `${HEAD}\n${overview(routes)}\n\n${groups.join('\n')}\n## Shapes\n\n${shapes(components.schemas)}`;
}

/** The fields of a response that has no shape of its own. */
function fieldsText(content: Record<string, { schema: Schema }>): string {
  const texts = Object.entries(content).map(([type, { schema }]) => {
    const names = Object.keys(schema.properties ?? {}).map((name) => `\`${name}\``);
    return `\`${type}\` with ${names.join(', ')}`;
  });
  return texts.join(' or ');
}

type Route = { method: string; path: string; operation: Operation };

function overview(routes: readonly Route[]): string {
  const rows = routes.map(({ method, path, operation }) => [`\`${method.toUpperCase()} ${path}\``, operation.summary]);
  return table(['route', 'does'], rows);
}

function routeText({ method, path, operation }: Route): string {
  const { summary, description, parameters, requestBody, responses, security } = operation;
  const shown = parameters.filter((parameter) => parameter.in !== 'path');
  const rows = shown.map(({ name, in: place, schema, description: text = '' }) => [
    `\`${name}\``,
    place,
    typeText(schema),
    text || (schema.description ?? ''),
  ]);
  const notes = [
    ...(requestBody ? [`- Body: ${contentText(requestBody.content)}`] : []),
    ...Object.entries(responses)
      .filter(([, { content }]) => content)
      .map(([status, { content }]) => `- ${status}: ${contentText(content ?? {})}`),
    ...Object.entries(operation['x-responses'] ?? {}).map(
      ([status, { content }]) => `- ${status}: ${fieldsText(content)}`,
    ),
    `- Problems: ${Object.entries(responses)
      .filter(([status, { content }]) => Number(status) >= 400 && !content)
      .map(([status]) => status)
      .join(', ')}`,
    ...(security ? ['- Needs no token'] : []),
  ];
  const parts = [`### ${method.toUpperCase()} ${path}`, `${summary}.${description ? ` ${description}` : ''}`];
  const parameterTable = rows.length > 0 ? [table(['parameter', 'in', 'type', 'description'], rows)] : [];
  return `${[...parts, ...parameterTable, notes.join('\n')].join('\n\n')}\n`;
}

function contentText(content: Content): string {
  const texts = Object.entries(content).map(([type, { schema }]) => `\`${type}\`${shapeText(schema)}`);
  return texts.join(' or ');
}

function shapeText(schema: Schema): string {
  if (!schema.$ref) return '';
  const name = typeText(schema);
  return ` ([${name}](#${name.toLowerCase()}))`;
}

function shapes(schemas: Record<string, unknown> | undefined): string {
  return Object.entries(schemas ?? {})
    .map(([name, schema]) => `### ${name}\n\n${shapeBody(schema as Schema)}\n`) // componentSchemas writes JSON Schemas
    .join('\n');
}

function shapeBody(schema: Schema): string {
  const kinds = (schema.oneOf ?? schema.anyOf ?? []).flatMap((option) => option.oneOf ?? [option]);
  if (schema.type === 'array') return `A list. Each entry is one of:\n\n${kindTable(schema.items?.anyOf ?? [])}`;
  if (kinds.length > 0) return kindTable(kinds);
  const fields = fieldRows(schema, '');
  if (fields.length === 0) return 'An open map.';
  const hasTexts = fields.some((row) => row.at(-1) !== '');
  const columns = ['field', 'type', 'required', 'description'];
  return hasTexts
    ? table(columns, fields)
    : table(
        columns.slice(0, 3),
        fields.map((row) => row.slice(0, 3)),
      );
}

function kindTable(kinds: readonly Schema[]): string {
  const rows = kinds.map(({ properties = {}, required = [] }) => {
    const names = Object.keys(properties).filter((name) => name !== 'type');
    return [
      properties.type ? typeText(properties.type) : '–',
      names.map((name) => `\`${name}${required.includes(name) ? '' : '?'}\``).join(', '),
    ];
  });
  return table(['type', 'fields (? = optional)'], rows);
}

/** Fields with those of maps and lists inside them, two levels deep: `/openapi.json` has the rest. */
function fieldRows(schema: Schema, path: string, depth = 0): string[][] {
  const { properties = {}, required = [] } = schema;
  return Object.entries(properties).flatMap(([name, value]) => {
    const at = `${path}${name}`;
    const row = [`\`${at}\``, typeText(value), required.includes(name) ? 'yes' : 'no', value.description ?? ''];
    if (depth > 0) return [row];
    const inner = value.items?.properties ? fieldRows(value.items, `${at}[].`, depth + 1) : [];
    const own = value.properties ? fieldRows(value, `${at}.`, depth + 1) : [];
    return [row, ...inner, ...own];
  });
}

const HEAD = `# HTTP routes

This page is made from the OpenAPI document of the server (\`npm run docs:write\`). A running server sends the same at
\`/openapi.json\`, and \`/docs\` shows it. [Serve agents over HTTP](../guides/http.md) explains how the routes work together.

A problem is [Problem](#problem) as \`application/problem+json\`; [Error codes](errors.md) lists every \`code\`.
`;
