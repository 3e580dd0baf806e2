import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { temporaryFolder } from '../../test/runtime.ts';
import { lineOf } from '../../test/yaml-lines.ts';
import { readAgent } from './load-agent.ts';

/** Files and folders that tools name as their documents. */
function folderWithDocuments(): string {
  const folder = temporaryFolder();
  for (const path of ['data/kb.json', 'kb.json', 'docs', 'd']) mkdirSync(join(folder, path), { recursive: true });
  return folder;
}

async function load(yaml: string, settings = '') {
  const folder = folderWithDocuments();
  writeFileSync(join(folder, 'agent.yaml'), `name: sample\ninstructions: Help.\n${yaml}`);
  if (settings) writeFileSync(join(folder, 'holodeck.yaml'), settings);
  const warnings: string[] = [];
  const env = { OPENAI_API_KEY: 'test-key-123' };
  const onWarning = (text: string) => warnings.push(text);
  const { agent } = await readAgent(join(folder, 'agent.yaml'), { env, cwd: folder, onWarning, withTests: true });
  return { agent, warnings };
}

const NO_EFFECT = 'not supported yet; it has no effect';

describe('claude.agents of the Python HoloDeck', () => {
  const TOOLS = 'tools:\n  - { name: files, type: mcp, command: npx }\n  - { name: mail, type: mcp, command: npx }\n';
  const read = (agents: string, more = '') => load(`${TOOLS}claude:\n${more}  agents:\n${agents}`);

  it('are members that get tasks, with the tools that they name or all', async () => {
    const { agent, warnings } = await read(
      '    critic: { description: Finds faults, prompt: Criticize., tools: [files], model: inherit }\n' +
        '    writer: { description: Writes, prompt: Write. }\n',
    );
    expect(warnings).toEqual([]);
    expect(agent.sub_agents).toEqual(['critic', 'writer']);
    expect(agent.members?.critic).toMatchObject({ name: 'sample/critic', instructions: 'Criticize.' });
    expect(agent.members?.critic?.tools.map(({ name }) => name)).toEqual(['files']);
    expect(agent.members?.writer?.tools.map(({ name }) => name)).toEqual(['files', 'mail']);
  });

  it('name with its line what has no effect', async () => {
    const { agent, warnings } = await read(
      '    critic:\n      description: d\n      prompt: C.\n      model: opus\n      tools: [files, Read]\n',
      '  max_turns: 10\n',
    );
    expect(warnings).toEqual([
      `agent.yaml:7:3 claude.max_turns: ${NO_EFFECT}`,
      `agent.yaml:12:7 claude.agents.critic.model: ${NO_EFFECT}`,
      'agent.yaml:13:22 claude.agents.critic.tools[1]: is no entry of tools, so this member does not have it',
    ]);
    expect(agent.members?.critic?.tools.map(({ name }) => name)).toEqual(['files']);
  });

  it('have the place in the file in a problem', async () => {
    const missing = read('    critic: { description: d, prompt_file: gone.md }\n');
    await expect(missing).rejects.toThrow('agent.yaml:8:44 claude.agents.critic.prompt_file: there is no such file');
  });
});

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
    ['tool_filtering:\n  enabled: true\n  top_k: 5', '3:1 tool_filtering'],
    ['tools:\n  - name: files\n    type: mcp\n    server: filesystem\n    command: npx', '6:5 tools[0].server'],
    [
      'tools:\n  - name: files\n    type: mcp\n    command: npx\n    defer_loading: false',
      '7:5 tools[0].defer_loading',
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

  it('is reached over http if its transport is the older HTTP+SSE', async () => {
    const { agent, warnings } = await load(
      'tools: [{ name: mail, type: mcp, description: d, transport: sse, url: "https://mail.example/sse" }]',
    );
    expect([agent.tools, warnings]).toEqual([
      [expect.objectContaining({ transport: 'http', url: 'https://mail.example/sse' })],
      [],
    ]);
  });

  it.each([
    ['type: skill, path: ./skills/mail', 'skill tools are'],
    ['type: hosted, tool: WebSearchTool', 'hosted tools are'],
    ['type: mcp, transport: websocket, url: "wss://mail.example"', 'websocket is'],
  ])('is left out with its line: %s', async (keys, what) => {
    const { agent, warnings } = await load(`tools:\n  - { name: mail, description: d, ${keys} }`);
    expect(agent.tools).toEqual([]);
    expect(warnings).toEqual([
      expect.stringContaining(`agent.yaml:4:5 tools[0]: ${what} not supported yet; this tool is left out`),
    ]);
  });

  it('may not have the settings of our own server', async () => {
    const tool = '{ name: files, type: mcp, command: npx, server: { port: 8000 } }';
    await expect(load(`tools: [${tool}]`)).rejects.toThrow('tools[0].server: wrong indent');
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

/** Every key that its loader accepts, in a file that it accepts. */
const EVERY_KEY = `
name: everything
description: d
author: a
model: { provider: azure_openai, name: m, endpoint: "https://m.example", api_key: "$\{OPENAI_API_KEY}", temperature: 0.3,
  max_tokens: 100, top_p: 0.9, api_version: "2024-10-21", auth_provider: api_key }
instructions: { inline: Help. }
response_format: { type: object }
tool_filtering: { enabled: true }
embedding_provider: { provider: ollama, name: nomic-embed-text }
execution: { llm_timeout: 60 }
deployment: { port: 8080 }
claude: { max_turns: 10 }
openai: { hosted: true }
observability: { enabled: true, service_name: s, traces: { capture_content: true }, metrics: { enabled: true },
  logs: { level: INFO }, exporters: { otlp: { endpoint: "http://localhost:4317" } }, resource_attributes: { a: b } }
tools:
  - { name: program, description: d, type: mcp, server: files, transport: stdio, command: npx, args: [-y], env: { A: b },
      env_file: .env, encoding: utf-8, config: { a: b }, load_tools: true, load_prompts: true, request_timeout: 60,
      is_retrieval: true, registry_name: io.github.a/b, defer_loading: true }
  - { name: remote, description: d, type: mcp, transport: http, url: "https://m.example", headers: { A: b }, timeout: 5,
      sse_read_timeout: 60, terminate_on_close: true }
  - { name: store, description: d, type: vectorstore, source: kb.json, vector_field: [text], meta_fields: [kind],
      id_field: id, record_path: items, delimiter: ";", chunk_size: 512, chunk_overlap: 50, top_k: 5,
      embedding_model: nomic-embed-text, embedding_dimensions: 768, database: { provider: in-memory },
      min_similarity_score: 0.5, record_prefix: r, meta_prefix: m, field_separator: ",", defer_loading: true }
  - { name: law, description: d, type: hierarchical_document, source: docs, chunking_strategy: structure,
      max_chunk_tokens: 800, chunk_overlap: 50, document_domain: academic, max_subsection_depth: 2, search_mode: hybrid,
      top_k: 10, min_score: 0.1, semantic_weight: 0.5, keyword_weight: 0.3, exact_weight: 0.2, rrf_k: 60,
      contextual_embeddings: true, context_max_tokens: 100, context_concurrency: 10, context_model: { name: m },
      extract_definitions: true, extract_cross_references: true, enable_reranking: true, reranker_model: { name: m },
      database: in-memory, keyword_index: { provider: in-memory }, embedding_model: nomic-embed-text }
evaluations:
  model: { provider: openai, name: m, temperature: 0, top_p: 1, api_version: "2024", auth_provider: api_key }
  optimizer: { max_cycles: 1 }
  metrics: [{ type: standard, metric: rouge, threshold: 0.5, model: { provider: openai, name: m, top_p: 1 } }]
test_cases: [{ name: t, input: hello, ground_truth: hi, expected_tools: [store] }]
`;

/** Keys that mean here what they mean there. Those inside of evaluations and cases have tests of their own. */
const SAME = `name description model model.provider model.name model.endpoint model.api_key model.temperature model.max_tokens
  instructions instructions.inline response_format observability observability.enabled tools evaluations evaluations.model
  evaluations.metrics test_cases embedding_provider tools[0].name tools[0].description tools[0].type tools[0].transport
  tools[0].command tools[0].args tools[0].env tools[1].name tools[1].description tools[1].type tools[1].transport
  tools[1].url tools[1].headers tools[2].name tools[2].description tools[2].type tools[2].source tools[2].vector_field
  tools[2].meta_fields tools[2].id_field tools[2].record_path tools[2].delimiter tools[2].chunk_size tools[2].top_k
  tools[2].embedding_model tools[2].min_similarity_score tools[3].name tools[3].description tools[3].type tools[3].source
  tools[3].max_chunk_tokens tools[3].search_mode tools[3].top_k tools[3].min_score tools[3].semantic_weight
  tools[3].keyword_weight tools[3].rrf_k tools[3].embedding_model`;

it('every key of its loader is named in a warning with its line, or means the same here', async () => {
  const folder = folderWithDocuments();
  writeFileSync(join(folder, 'agent.yaml'), EVERY_KEY);
  const named: string[] = [];
  const lines = new Map<string, number>();
  const onWarning = (text: string) => {
    const [, line, key = text] = /^agent.yaml:(\d+):\d+ ([^:]+): /.exec(text) ?? [];
    named.push(key);
    lines.set(key, Number(line));
  };
  await readAgent(folder, { env: { OPENAI_API_KEY: 'k' }, cwd: folder, onWarning, withTests: true });
  const file: Record<string, unknown> = parse(EVERY_KEY);
  const inside = Object.entries(file).flatMap(([key, value]) => {
    const parts = Array.isArray(value) ? value.map((part, at) => [`${key}[${at}]`, part]) : [[key, value]];
    const open = /^(?:model|instructions|observability|tools)/;
    return [
      key,
      ...parts.flatMap(([at, part]) => (open.test(at) ? Object.keys(part).map((each) => `${at}.${each}`) : [])),
    ];
  });
  const silent = [...inside, 'evaluations.model', 'evaluations.metrics', 'evaluations.optimizer'].filter(
    (key) => !named.includes(key),
  );
  expect(silent.toSorted()).toEqual(SAME.split(/\s+/).toSorted());
  expect(named).toEqual(expect.arrayContaining(['evaluations.model.top_p', 'evaluations.metrics[0].model.top_p']));
  expect(named.length).toBe(new Set(named).size);
  expect(Object.fromEntries(lines)).toEqual(Object.fromEntries(named.map((key) => [key, lineOf(EVERY_KEY, key)])));
});
