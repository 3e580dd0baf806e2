import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { agentJsonSchema } from './json-schema.ts';

const validate = new Ajv2020({ strict: false }).compile(agentJsonSchema());

describe('agentJsonSchema', () => {
  it('is a schema with a title that asks for name and instructions only', () => {
    const { $schema, title, required } = agentJsonSchema();
    expect({ $schema, title, required }).toEqual({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: 'HoloDeck agent',
      required: ['name', 'instructions'],
    });
  });

  it.each([
    [{ name: 'a', instructions: 'Answer.' }, true],
    [{ name: 'a', instructions: { file: 'a.md' }, model: { endpoint: `\${URL}` } }, true],
    [
      { name: 'a', instructions: 'Answer.', tools: [{ name: 'a', type: 'mcp', transport: 'stdio', command: 'x' }] },
      true,
    ],
    [{ name: 'a', instructions: 'Answer.', tools: [{ name: 'a', type: 'mcp', transport: 'stdio' }] }, false],
    [{ name: '1', instructions: 'Answer.' }, false],
    [{ name: 'a', instructions: 'Answer.', modle: {} }, false],
    [{ name: 'a', instructions: 'Answer.', server: { port: 0 } }, false],
  ])('judges %j: %s', (value, isValid) => {
    expect(validate(value)).toBe(isValid);
  });
});
