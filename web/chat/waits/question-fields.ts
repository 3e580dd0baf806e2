/** A field of the form that answers a tool's question. */
export interface Field {
  name: string;
  label: string;
  hint?: string;
  isRequired: boolean;
  kind: 'text' | 'number' | 'boolean' | 'choice';
  /** Of an input element, such as email or date. */
  inputType: string;
  isInteger: boolean;
  choices: readonly { value: string; label: string }[];
  initial: string;
}

const INPUT_TYPES: Readonly<Record<string, string>> = {
  email: 'email',
  uri: 'url',
  date: 'date',
};

/** The fields of a flat object schema, as MCP elicitation allows it; undefined for any other schema. */
export function readFields(schema: unknown): Field[] | undefined {
  if (!isRecord(schema) || !isRecord(schema.properties)) return undefined;
  const required = Array.isArray(schema.required) ? schema.required : [];
  const fields = Object.entries(schema.properties).map(([name, property]) =>
    readField(name, property, required.includes(name)),
  );
  return fields.every((field) => field !== undefined) ? fields : undefined;
}

function readField(name: string, property: unknown, isRequired: boolean): Field | undefined {
  if (!isRecord(property)) return undefined;
  const { type, title, description, format, default: initial } = property;
  const choices = readChoices(property);
  const kind = choices ? 'choice' : kindOf(type);
  if (!kind) return undefined;
  return {
    name,
    label: typeof title === 'string' ? title : name,
    ...(typeof description === 'string' && { hint: description }),
    isRequired,
    kind,
    inputType: (typeof format === 'string' && INPUT_TYPES[format]) || 'text',
    isInteger: type === 'integer',
    choices: choices ?? [],
    initial: initial === undefined || initial === null ? '' : String(initial),
  };
}

function kindOf(type: unknown): Field['kind'] | undefined {
  if (type === 'string') return 'text';
  if (type === 'number' || type === 'integer') return 'number';
  return type === 'boolean' ? 'boolean' : undefined;
}

function readChoices({ enum: values, enumNames: names, oneOf }: Record<string, unknown>): Field['choices'] | undefined {
  if (Array.isArray(values)) {
    return values.map((value, index) => ({
      value: String(value),
      label: String((Array.isArray(names) && names[index]) || value),
    }));
  }
  if (!Array.isArray(oneOf)) return undefined;
  return oneOf.filter(isRecord).map(({ const: value, title }) => ({
    value: String(value),
    label: String(title ?? value),
  }));
}

/** The answer as the schema wants it: numbers as numbers, empty optional fields left out. */
export function toAnswer(fields: readonly Field[], values: Readonly<Record<string, string>>): Record<string, unknown> {
  const entries = fields.flatMap((field): [string, unknown][] => {
    const text = values[field.name] ?? field.initial;
    if (field.kind === 'boolean') return [[field.name, text === 'true']];
    if (text === '' && !field.isRequired) return [];
    return [[field.name, field.kind === 'number' ? Number(text) : text]];
  });
  return Object.fromEntries(entries);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
