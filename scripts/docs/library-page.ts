import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as z from 'zod';
import { fieldTexts, type Names, readDeclaration, shapeText } from './type-text.ts';

const SOURCE = resolve(import.meta.dirname, '../../src');

interface Export {
  name: string;
  file: string;
}

/** docs/reference/library.md: each name that `holodeck` exports, from the types of the source. */
export async function libraryPage(): Promise<string> {
  const exported = readExports(readFileSync(join(SOURCE, 'index.ts'), 'utf8'));
  const sections = await Promise.all(exported.map(section));
  const index = exported.map(({ name }) => `[\`${name}\`](#${name.toLowerCase()})`).join(' · ');
  return `${HEAD}\n${index}\n\n${sections.join('\n')}`;
}

/** The names of index.ts and their files, by name. */
function readExports(index: string): Export[] {
  const lines = index.matchAll(/export (type )?\{([^}]*)\} from '\.\/([^']+)';/g);
  return [...lines]
    .flatMap(([, , names = '', file = '']) =>
      names.split(',').flatMap((text) => (text.trim() ? [{ name: text.trim().replace(/^type /, ''), file }] : [])),
    )
    .sort((one, other) => one.name.localeCompare(other.name));
}

async function section({ name, file }: Export): Promise<string> {
  const { comment, code } = readDeclaration(readFileSync(join(SOURCE, file), 'utf8'), name);
  const elsewhere = OTHER_PAGE[name];
  if (elsewhere) return `## ${name}\n\n${elsewhere}\n`;
  const shown = (await schemaText(name, file)) ?? `\`\`\`ts\n${code}\n\`\`\``;
  return `## ${name}\n\n${comment ? `${comment}\n\n` : ''}${shown}\n`;
}

/** The type that a schema of the same name gives. */
async function schemaText(name: string, file: string): Promise<string | undefined> {
  const { [name]: schema } = await import(join(SOURCE, file));
  if (!(schema instanceof z.ZodType)) return undefined;
  const names: Names = new Map();
  const fields = fieldTexts(schema, names).map(
    (field) => `  ${field.name}${field.isOptional ? '?' : ''}: ${field.text};`,
  );
  const type =
    fields.length > 0 ? `{\n${fields.join('\n')}\n}` : shapeText(schema, names).replaceAll(' | {', '\n  | {');
  return `\`\`\`ts\ntype ${name} = ${type}\n\`\`\``;
}

/** Types that have pages of their own. */
const OTHER_PAGE: Readonly<Record<string, string>> = {
  Agent: 'A checked agent: the keys of [agent.yaml](agent-yaml.md) with their defaults filled in.',
  AgentDefinition:
    'The keys of [agent.yaml](agent-yaml.md); `tools` also takes functions ([`defineTool`](#definetool)).',
  ErrorCode: 'One of the [error codes](errors.md).',
  Event: 'One event of a turn: [all events](events.md).',
};

const HEAD = `# The library

Every name that \`holodeck\` exports, made from the types of the source (\`npm run docs:write\`).
[Use HoloDeck in your program](../guides/library.md) and [Put an agent into your own app](../guides/your-own-app.md) show how they work
together. \`holodeck/schema\` exports the zod schemas of the shapes.
`;
