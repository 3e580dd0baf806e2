import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/runtime.ts';
import { readAgent } from './load-agent.ts';

async function load(yaml: string, settings = '') {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'agent.yaml'), `name: sample\ninstructions: Help.\n${yaml}`);
  if (settings) writeFileSync(join(folder, 'holodeck.yaml'), settings);
  const warnings: string[] = [];
  const env = { OPENAI_API_KEY: 'test-key-123' };
  const onWarning = (text: string) => warnings.push(text);
  const { agent } = await readAgent(join(folder, 'agent.yaml'), { env, cwd: folder, onWarning, withTests: true });
  return { agent, warnings };
}

const NO_EFFECT = 'not supported yet; it has no effect';

describe('a key of the Python HoloDeck that has no effect here', () => {
  it.each([
    ['model:\n  provider: openai\n  name: g\n  top_p: 0.9', '6:3 model.top_p'],
    ['model:\n  provider: openai\n  name: g\n  api_version: "2024"', '6:3 model.api_version'],
    ['model:\n  provider: openai\n  name: g\n  auth_provider: oauth_token', '6:3 model.auth_provider'],
    [
      'observability:\n  enabled: false\n  exporters: { otlp: { headers: { a: "$' + '{NOT_SET}" } } }',
      '5:3 observability.exporters',
    ],
    ['observability:\n  traces: { sample_rate: 1.0 }', '4:3 observability.traces'],
    [
      'evaluations:\n  metrics: [{ type: standard, metric: rouge }]\n  optimizer: { max_cycles: 1 }',
      '5:3 evaluations.optimizer',
    ],
    [
      'evaluations:\n  model: { provider: openai, name: g, top_p: 1 }\n  metrics: [{ type: standard, metric: rouge }]',
      '4:39 evaluations.model.top_p',
    ],
    [
      'tools:\n  - name: files\n    type: mcp\n    command: npx\n    request_timeout: 30',
      '7:5 tools[0].request_timeout',
    ],
  ])('is named with its line: %j', async (yaml, place) => {
    expect((await load(yaml)).warnings).toEqual([`agent.yaml:${place}: ${NO_EFFECT}`]);
  });

  it("is named in the project's settings, too", async () => {
    const { warnings } = await load('', 'model:\n  top_p: 0.5\n');
    expect(warnings).toEqual([`holodeck.yaml:2:3 model.top_p: ${NO_EFFECT}`]);
  });

  it('is refused if neither knows it', async () => {
    await expect(load('model: { top_q: 1 }')).rejects.toThrow('model.top_q: unknown key');
    await expect(load('observability: { exporter: {} }')).rejects.toThrow('observability.exporter: unknown key');
  });
});

describe('a tool of the Python HoloDeck', () => {
  it('is left out with its line if it is Python or a prompt, and the others keep their places', async () => {
    const tools = [
      '  - { name: ask, type: prompt, description: d, template: "$' +
        '{NOT_SET}", parameters: { q: { type: string } } }',
      '  - { name: add, type: function, description: d, file: tools/math.py, function: add }',
      '  - { name: tasks, type: mcp, transport: builtin, server: tasks, bind: { user_id: $user.id } }',
    ];
    const { agent, warnings } = await load(`tools:\n${tools.join('\n')}`);
    expect(agent.tools.map(({ name }) => name)).toEqual(['tasks']);
    expect(warnings).toEqual([
      'agent.yaml:4:5 tools[0]: prompt tools are not supported yet; this tool is left out',
      expect.stringContaining('agent.yaml:5:5 tools[1]: functions in Python are not supported yet'),
    ]);
    await expect(load(`tools:\n${tools.join('\n')}\n  - { name: x, type: mcp, transport: builtin }`)).rejects.toThrow(
      'agent.yaml:7:5 tools[3].server: ',
    );
  });

  it('is a program if it has a command and no transport, and may have a description', async () => {
    const { agent, warnings } = await load(
      'tools: [{ name: memory, type: mcp, description: Remembers, command: npx, args: [-y, server-memory] }]',
    );
    expect([agent.tools, warnings]).toEqual([
      [expect.objectContaining({ transport: 'stdio', command: 'npx', description: 'Remembers' })],
      [],
    ]);
  });

  it('may give its parameters as a map of properties', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'price.ts'), 'export default () => 1;');
    const write = (parameters: string) =>
      `name: s\ninstructions: i\ntools: [{ name: price, type: function, description: d, file: price.ts, parameters: ${parameters} }]`;
    for (const [parameters, properties] of [
      ['{ type: { type: string }, size: { type: integer } }', { type: { type: 'string' }, size: { type: 'integer' } }],
      ['{ type: object, properties: { size: { type: integer } } }', { size: { type: 'integer' } }],
    ] as const) {
      writeFileSync(join(folder, 'agent.yaml'), write(parameters));
      const { agent } = await readAgent(folder, { env: {}, cwd: folder });
      expect(agent.tools[0]).toMatchObject({ parameters: { type: 'object', properties } });
    }
  });
});
