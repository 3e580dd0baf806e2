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

describe('a tool of the Python HoloDeck that searches documents', () => {
  const SEARCH = [
    'model: { provider: openai, name: gpt-4o }',
    'tools:',
    '  - name: search_kb',
    '    type: vectorstore',
    '    description: Solutions',
    '    source: data/kb.json',
    '    chunk_size: 512',
    '    min_similarity_score: 0.7',
    '    id_field: id',
    '    vector_field: [question, answer]',
    '    meta_fields: [category]',
    '    record_path: items',
  ];

  it('is an entry of knowledge with the same tool, source, mode and limits', async () => {
    const { agent, warnings } = await load(SEARCH.join('\n'));
    expect({ tools: agent.tools, warnings }).toEqual({ tools: [], warnings: [] });
    expect(agent.knowledge?.search_kb).toMatchObject({
      tool: 'search_kb',
      source: 'data/kb.json',
      description: 'Solutions',
      top_k: 5,
      passage_words: 384,
      min_similarity: 0.7,
      search_mode: 'semantic',
      answer: 'freely',
      records: { id: 'id', text: ['question', 'answer'], meta: ['category'], path: 'items' },
      embedding: { provider: 'openai', name: 'text-embedding-3-small', api_key: 'test-key-123' },
    });
  });

  it('takes its embeddings from embedding_provider, and weights from the tool', async () => {
    const { agent, warnings } = await load(
      'model: { provider: openai, name: g }\nembedding_provider: { provider: ollama, name: nomic-embed-text }\n' +
        'tools: [{ name: docs, type: hierarchical_document, description: d, source: d, semantic_weight: 0.9, keyword_weight: 0.1 }]',
    );
    expect(warnings).toEqual([]);
    expect(agent.knowledge?.docs).toMatchObject({
      top_k: 10,
      search_mode: 'hybrid',
      semantic_weight: 0.9,
      embedding: { provider: 'ollama', name: 'nomic-embed-text' },
    });
  });

  it('names each key that has no meaning here, with its line', async () => {
    const more = ['    database: chromadb', '    chunk_overlap: 50', '    search_mode: exact'];
    const { warnings } = await load([...SEARCH, ...more].join('\n'));
    expect(warnings).toEqual([
      `agent.yaml:15:5 tools[0].database: ${NO_EFFECT}`,
      `agent.yaml:16:5 tools[0].chunk_overlap: ${NO_EFFECT}`,
      expect.stringContaining('agent.yaml:17:5 tools[0].search_mode: means keyword here'),
    ]);
    const other = await load(SEARCH.join('\n').replace('openai, name: gpt-4o', 'builtin'));
    expect(other.warnings).toEqual([expect.stringMatching(/^agent.yaml:5:5 tools\[0\]: its model has no embeddings/)]);
  });

  it('has the line of the tool in a problem', async () => {
    await expect(load([...SEARCH, '    top_k: 500'].join('\n'))).rejects.toThrow('agent.yaml:15:12 tools[0].top_k: ');
  });
});
