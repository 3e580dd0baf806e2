import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readAgent } from '../../src/config/load-agent.ts';
import { AppError } from '../../src/errors.ts';
import type { Agent } from '../../src/schema/agent.ts';
import { lineOf } from '../../test/yaml-lines.ts';
import { findData, hasData } from '../scripts/find-data.ts';

const FOLDER = 'python-files/';
/** Kinds of tools that search documents, counted apart. */
const DOCUMENTS = /type: (?:vectorstore|hierarchical_document)/;
/** A file of tests has its key in the file, which is refused here. */
const WITH_KEY = ['149'];

interface Loaded {
  id: string;
  text: string;
  env: Record<string, string>;
  warnings: string[];
  problem?: string;
  agent?: Agent;
}

async function load(id: string): Promise<Loaded> {
  const folder = join(fileURLToPath(findData(FOLDER)), id);
  const text = readFileSync(join(folder, 'agent.yaml'), 'utf8');
  const named = [...text.matchAll(/\$\{(\w+)\}/g)].map(([, name = '']) => name);
  const keys = ['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'AZURE_OPENAI_API_KEY'];
  const value = (name: string) => (name.endsWith('ENDPOINT') ? 'https://models.example' : 'a-value');
  const env = Object.fromEntries([...named, ...keys].map((name) => [name, value(name)]));
  const warnings: string[] = [];
  const onWarning = (warning: string) => warnings.push(warning);
  try {
    const { agent } = await readAgent(folder, { env, cwd: folder, onWarning, withTests: true });
    return { id, text, env, warnings, agent };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { id, text, env, warnings, problem: error.message };
  }
}

/** Each value of a file with its path, as a warning writes it. */
function valuesOf(value: unknown, path = ''): [path: string, value: unknown][] {
  if (typeof value !== 'object' || value === null) return [[path, value]];
  if (Array.isArray(value)) return value.flatMap((each, index) => valuesOf(each, `${path}[${index}]`));
  return Object.entries(value).flatMap(([key, each]) => valuesOf(each, path ? `${path}.${key}` : key));
}

/** The part of the agent that a value of the file belongs to, or undefined if it keeps its path. */
function partOf(path: string, file: Record<string, unknown>, agent: Agent): unknown {
  if (path.startsWith('instructions.')) return agent.instructions;
  if (path.startsWith('embedding_provider.')) return agent.knowledge;
  const [, index] = /^tools\[(\d+)\]/.exec(path) ?? [];
  if (index === undefined) return undefined;
  const { name, type } = Object(file.tools)[index];
  const entry = agent.knowledge?.[name];
  return entry ? { ...entry, name, type } : agent.tools.find((tool) => tool.name === name);
}

describe.skipIf(!hasData(FOLDER))('files that the loader of the Python HoloDeck accepts', async () => {
  const ids = hasData(FOLDER) ? readdirSync(findData(FOLDER)).filter((name) => /^\d+$/.test(name)) : [];
  const all = await Promise.all(ids.map(load));
  const failed = all.filter(({ problem }) => problem !== undefined).map(({ id }) => id);

  it('load, apart from a key in a file', () => {
    console.log(
      `${all.length - failed.length} of ${all.length} load`,
      all.filter(({ problem }) => problem).map(({ id, problem }) => id + problem),
    );
    expect(failed).toEqual(WITH_KEY);
  });

  it('have the line of its key in each warning', () => {
    const wrong = all.flatMap(({ id, text, warnings }) =>
      warnings.flatMap((warning) => {
        const [, line, path = ''] = /^\S+:(\d+):\d+ ([^:]+): /.exec(warning) ?? [];
        return lineOf(text, path) === Number(line) ? [] : [`${id} ${warning}, expected ${lineOf(text, path)}`];
      }),
    );
    expect(wrong).toEqual([]);
  });

  it('keep every value, or are told which has no effect', () => {
    const counts = { values: 0, kept: 0, named: 0 };
    const lost = all.flatMap(({ id, text, env, warnings, agent }) => {
      if (!agent) return [];
      const folder = join(fileURLToPath(findData(FOLDER)), id);
      const file = parse(text);
      const named = warnings.map((line) => /^\S+:\d+:\d+ ([^:]+): /.exec(line)?.[1] ?? line);
      const own = new Map(valuesOf(agent));
      const silent = valuesOf(file).filter(([path, given]) => {
        counts.values++;
        const isNamed = named.some((at) => path === at || path.startsWith(`${at}.`) || path.startsWith(`${at}[`));
        if (isNamed) counts.named++;
        if (isNamed) return false;
        const filled = typeof given === 'string' ? given.replace(/\$\{(\w+)\}/g, (_, name) => env[name] ?? '') : given;
        const wanted = path === 'instructions.file' ? readFileSync(join(folder, String(filled)), 'utf8') : filled;
        const part = partOf(path, file, agent);
        const found = part === undefined ? [own.get(path)] : valuesOf(part).map(([, value]) => value);
        // Tokens of a passage are words here.
        const isCut = path.endsWith('.chunk_size') && found.includes(Math.round(Number(wanted) * 0.75));
        const isKept = isCut || found.some((value) => String(value).trim() === String(wanted).trim());
        if (isKept) counts.kept++;
        return !isKept;
      });
      return silent.map(([path, value]) => `${id} ${path}: ${value}`);
    });
    console.log(counts);
    expect(lost).toEqual([]);
  });

  it('search their documents as knowledge, and name what has no meaning here', () => {
    const searching = all.filter(({ text }) => DOCUMENTS.test(text));
    expect(searching.length).toBe(21);
    for (const { agent, id } of searching) {
      const tools = parse(readFileSync(join(fileURLToPath(findData(FOLDER)), id, 'agent.yaml'), 'utf8')).tools ?? [];
      const wanted = tools.filter((tool: { type: string }) => DOCUMENTS.test(`type: ${tool.type}`));
      const names = Object.entries(agent?.knowledge ?? {}).map(([name, { source, tool }]) => [name, source, tool]);
      expect(names).toEqual(
        wanted.map((tool: { name: string; source: string }) => [tool.name, tool.source, tool.name]),
      );
    }
    const keys = [
      'database',
      'chunk_overlap',
      'document_domain',
      'exact_weight',
      'contextual_embeddings',
      'field_separator',
    ];
    for (const key of keys) {
      const using = searching.filter(({ text }) => new RegExp(`^ +${key}:`, 'm').test(text));
      expect(using.length).toBeGreaterThan(0);
      const silent = using.filter(({ warnings }) => !warnings.some((line) => line.includes(`.${key}: `)));
      expect(silent.map(({ id }) => id)).toEqual([]);
    }
  });

  it.each([
    [/^observability:[\s\S]*?^ +(?:traces|metrics|logs|exporters):/m, 'observability.'],
    [/^ +optimizer:/m, 'evaluations.optimizer'],
    [/^ +auth_provider:/m, 'model.auth_provider'],
    [/^ +api_version:/m, 'model.api_version'],
    [/\.py$/m, 'tools['],
    [/^claude:/m, 'claude'],
  ])('are told what has no effect: %s', (key, name) => {
    const using = all.filter(({ text, problem }) => key.test(text) && problem === undefined);
    expect(using.length).toBeGreaterThan(0);
    expect(
      using.filter(({ warnings }) => !warnings.some((line) => line.includes(` ${name}`))).map(({ id }) => id),
    ).toEqual([]);
  });
});
