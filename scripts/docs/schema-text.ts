/** The parts of a JSON Schema that the reference pages show. */
export interface Schema {
  $ref?: string;
  type?: string;
  format?: string;
  description?: string;
  default?: unknown;
  const?: unknown;
  enum?: unknown[];
  pattern?: string;
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  required?: string[];
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
}

const ANY = 'any';
const NAMES: Record<string, string> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: '`true` or `false`',
  object: 'map',
  null: 'null',
};

/** The type of a value in words: "whole number 1–50", "list of text". */
export function typeText(schema: Schema): string {
  // A schema without a name of its own is that of any JSON value.
  if (schema.$ref) return /\/__schema\d+$/.test(schema.$ref) ? ANY : schema.$ref.replace(/^.*\//, '');
  if (schema.const !== undefined) return `\`${schema.const}\``;
  if (schema.enum) return schema.enum.map((value) => `\`${value}\``).join(', ');
  if (schema.type === 'array') return `list${itemText(schema.items)}`;
  const options = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].filter((option) => !isVariable(option));
  const texts = [...new Set(options.map(typeText))];
  if (texts.length > 0) return texts.includes(ANY) ? ANY : texts.join(' or ');
  const name = schema.format === 'date-time' ? 'time' : NAMES[schema.type ?? ''];
  return name === undefined ? ANY : `${name}${rangeText(schema)}`;
}

function itemText(items: Schema | undefined): string {
  if (!items || typeText(items) === ANY) return '';
  return ` of ${typeText(items).replace(/^map$/, 'maps')}`;
}

/** Bounds that a person chose; zod adds the largest safe integer to every whole number. */
function rangeText({ minimum, exclusiveMinimum, maximum }: Schema): string {
  const isChosen = (bound: number | undefined) => bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER;
  const high = isChosen(maximum) ? maximum?.toLocaleString('en-US') : undefined;
  if (isChosen(minimum)) return high === undefined ? ` ≥ ${minimum}` : ` ${minimum}–${high}`;
  const above = exclusiveMinimum === undefined ? '' : ` > ${exclusiveMinimum}`;
  return high === undefined ? above : `${above}${above ? ',' : ''} ≤ ${high}`;
}

/** A `${VAR}` in the place of a number or a boolean; the page on variables explains it once. */
function isVariable({ type, pattern }: Schema): boolean {
  return type === 'string' && pattern?.startsWith('^\\$\\{') === true;
}

/** A cell of a Markdown table. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

/** A Markdown table; every row has a cell for each column. */
export function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(columns), `|${'---|'.repeat(columns.length)}`, ...rows.map(line)].join('\n');
}
