import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readAgent } from '../../src/config/load-agent.ts';
import { AppError } from '../../src/errors.ts';
import { findData, hasData } from '../scripts/find-data.ts';

const FOLDER = 'python-files/';
/** Kinds of tools that search documents, counted apart. */
const DOCUMENTS = /type: (?:vectorstore|hierarchical_document)/;
/** A file of tests has its key in the file, which is refused here. */
const WITH_KEY = ['149'];

interface Loaded {
  id: string;
  text: string;
  warnings: string[];
  problem?: string;
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
    await readAgent(folder, { env, cwd: folder, onWarning, withTests: true });
    return { id, text, warnings };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { id, text, warnings, problem: error.message };
  }
}

describe.skipIf(!hasData(FOLDER))('files that the loader of the Python HoloDeck accepts', async () => {
  const ids = hasData(FOLDER) ? readdirSync(findData(FOLDER)).filter((name) => /^\d+$/.test(name)) : [];
  const all = await Promise.all(ids.map(load));
  const plain = all.filter(({ text }) => !DOCUMENTS.test(text));

  it('load, apart from a key in a file', () => {
    expect(plain.filter(({ problem }) => problem !== undefined).map(({ id }) => id)).toEqual(WITH_KEY);
    console.log(
      `${plain.length - WITH_KEY.length} of ${plain.length} load; ${all.length - plain.length} search documents`,
    );
  });

  it('have no other problem if they search documents', () => {
    const problems = all.filter(({ text }) => DOCUMENTS.test(text)).flatMap(({ problem = '' }) => problem.split('\n'));
    expect(problems.filter((line) => line !== '' && !/tools\[\d+\]\.type: /.test(line))).toEqual([]);
  });

  it.each([
    [/^observability:[\s\S]*?^ +(?:traces|metrics|logs|exporters):/m, 'observability.'],
    [/^ +optimizer:/m, 'evaluations.optimizer'],
    [/^ +auth_provider:/m, 'model.auth_provider'],
    [/^ +api_version:/m, 'model.api_version'],
    [/\.py$/m, 'tools['],
    [/^claude:/m, 'claude'],
  ])('are told what has no effect: %s', (key, name) => {
    const using = plain.filter(({ text, problem }) => key.test(text) && problem === undefined);
    expect(using.length).toBeGreaterThan(0);
    expect(
      using.filter(({ warnings }) => !warnings.some((line) => line.includes(` ${name}`))).map(({ id }) => id),
    ).toEqual([]);
  });
});
