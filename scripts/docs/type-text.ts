import * as z from 'zod';

/** The parts of a zod schema that its type shows. */
interface Definition {
  type: string;
  shape?: Record<string, z.core.$ZodType>;
  element?: z.core.$ZodType;
  innerType?: z.core.$ZodType;
  options?: z.core.$ZodType[];
  entries?: Record<string, string>;
  values?: unknown[];
  keyType?: z.core.$ZodType;
  valueType?: z.core.$ZodType;
  in?: z.core.$ZodType;
  left?: z.core.$ZodType;
  right?: z.core.$ZodType;
  getter?: () => z.core.$ZodType;
}

/** Names of schemas that have a section of their own. */
export type Names = ReadonlyMap<z.core.$ZodType, string>;

interface FieldText {
  name: string;
  isOptional: boolean;
  text: string;
}

/** Each kind of schema has its own definition; the fields that a kind lacks are undefined. */
function definitionOf(schema: z.core.$ZodType): Definition {
  return schema._zod.def as unknown as Definition;
}

/** A schema of any JSON contains itself. Each use of `z.json()` makes another one, with the same function. */
function isJson({ getter }: Definition): boolean {
  return String(getter) === String(definitionOf(z.json()).getter);
}

/** The type of a schema in TypeScript: `string[]`, `{ name: string; … }`, or the schema's name. */
function typeText(schema: z.core.$ZodType, names: Names): string {
  return names.get(schema) ?? shapeText(schema, names);
}

/** As `typeText`, for the schema that a name belongs to. */
export function shapeText(schema: z.core.$ZodType, names: Names): string {
  const def = definitionOf(schema);
  const of = (inner: z.core.$ZodType | undefined) => (inner ? typeText(inner, names) : 'unknown');
  switch (def.type) {
    case 'object':
      return `{ ${fieldTexts(schema, names)
        .map(({ name, isOptional, text }) => `${name}${isOptional ? '?' : ''}: ${text}`)
        .join('; ')} }`;
    case 'array':
      return arrayText(of(def.element));
    case 'enum':
      return Object.values(def.entries ?? {})
        .map((value) => `'${value}'`)
        .join(' | ');
    case 'literal':
      return (def.values ?? []).map((value) => (typeof value === 'string' ? `'${value}'` : String(value))).join(' | ');
    case 'union':
      return [...new Set((def.options ?? []).map(of))].join(' | ');
    case 'intersection':
      return `${of(def.left)} & ${of(def.right)}`;
    case 'record':
      return `Record<${of(def.keyType)}, ${of(def.valueType)}>`;
    case 'nullable':
      return `${of(def.innerType)} | null`;
    case 'optional':
    case 'default':
    case 'prefault':
    case 'readonly':
      return of(def.innerType);
    case 'pipe':
      return of(def.in);
    case 'lazy':
      return isJson(def) ? 'JSON value' : of(def.getter?.());
    case 'string':
    case 'number':
    case 'boolean':
      return def.type;
    default:
      return 'unknown';
  }
}

function arrayText(item: string): string {
  return /[|&{]/.test(item) && !item.startsWith('{') ? `(${item})[]` : `${item}[]`;
}

/** The fields of an object schema; empty for other schemas. */
export function fieldTexts(schema: z.core.$ZodType, names: Names): FieldText[] {
  const def = definitionOf(schema);
  const { shape = {}, getter } = def;
  if (getter && !isJson(def)) return fieldTexts(getter(), names);
  return Object.entries(shape).map(([name, field]) => ({
    name,
    isOptional: field._zod.optin === 'optional',
    text: typeText(field, names),
  }));
}

/** A declaration of a source file, without the body of a function. */
export interface Declaration {
  comment: string;
  code: string;
}

/** Reads one exported declaration with its comment. Throws if the file has none of this name. */
export function readDeclaration(source: string, name: string): Declaration {
  const found = new RegExp(`^export (?:async )?(?:function\\*?|interface|type|class|const) ${name}\\b`, 'm').exec(
    source,
  );
  if (!found) throw new Error(`no declaration of ${name}`);
  const code = source.slice(found.index);
  return { comment: commentBefore(source.slice(0, found.index)), code: cutDeclaration(code) };
}

/** The words of the block comment at the end of a text; empty if there is none. */
export function commentBefore(before: string): string {
  const [, words = ''] = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*$/.exec(before) ?? [];
  return cleanComment(words);
}

export function cleanComment(words: string): string {
  return words
    .replace(/^\s*\*? ?/gm, '')
    .replace(/\s*\n\s*/g, ' ')
    .trim();
}

/** A function ends before its body, everything else at the end of its first statement. */
function cutDeclaration(code: string): string {
  const isFunction = /^export (?:async )?function/.test(code);
  const isType = /^export type/.test(code);
  let depth = 0;
  for (const [index, sign] of [...code].entries()) {
    if (isFunction && depth === 0 && code.startsWith(' {\n', index)) return code.slice(0, index);
    if (isType && depth === 0 && sign === ';') return code.slice(0, index);
    if ('({['.includes(sign)) depth += 1;
    if (')}]'.includes(sign)) depth -= 1;
    if (!isFunction && !isType && depth === 0 && sign === '}') return withoutBodies(code.slice(0, index + 1));
  }
  return code.trim();
}

/** A class shows its members without their code. */
function withoutBodies(code: string): string {
  return code.replace(/^( {2}\S.*) \{\n(?: {4}.*\n|\n)* {2}\}/gm, '$1;');
}
