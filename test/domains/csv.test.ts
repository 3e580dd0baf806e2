import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadAgent } from '../../src/config/load-agent.ts';
import { createRuntime } from '../../src/runtime/runtime.ts';
import { COMMAND } from '../command.ts';
import { temporaryFolder } from '../runtime.ts';
import { ask } from './scene.ts';

const AGENT = `name: shop
instructions: Answer.
domains:
  - name: sales
    display_name: Sales
    description: sales
    capabilities: [Average and total revenue of sales by city]
    mcp_tools: [query_space_sales]
tools:
  - { name: sales, type: mcp, transport: builtin, server: space, file: space.yaml }
`;
const SPACE = `name: sales
title: sales
description: revenue of sales
tables:
  sales: { file: sales.csv, say: sale }
measures:
  average revenue: { average: sales.revenue, unit: points }
dimensions:
  city: { columns: [sales.city] }
verified:
  - ask: What is the average revenue?
    query: { measures: [{ name: average revenue }] }
  - ask: Which city has the most sales?
    query: { measures: [{ name: number of sales }], dimensions: [city], order: { by: number of sales, direction: highest }, limit: 1 }
`;

function agentWith(csv: string | Buffer): string {
  const folder = temporaryFolder();
  for (const [name, content] of Object.entries({ 'agent.yaml': AGENT, 'space.yaml': SPACE, 'sales.csv': csv }))
    writeFileSync(join(folder, name), content);
  return join(folder, 'agent.yaml');
}

async function askOver(csv: string | Buffer, question = 'What is the average revenue?') {
  const logged: string[] = [];
  const log = (text: string) => void logged.push(text);
  const agent = await loadAgent(agentWith(csv));
  const runtime = await createRuntime({ agents: [agent], folder: temporaryFolder(), log });
  onTestFinished(() => runtime.stop());
  return { ...(await ask(runtime, question)).result, logged };
}

const GOOD = 'city,revenue\nParis,10\nRome,20\nOslo,30\n';

describe('a space over CSV files', () => {
  it('answers over a file that is well formed, with high confidence', async () => {
    const result = await askOver(GOOD);
    expect(result).toMatchObject({ confidence: 'high', logged: [] });
    expect(result.content).toContain('Average revenue: 20');
  });

  it.each([
    ['an extra field', `${GOOD}Rome,20,5\n`, 'sales.csv:5: the row has 3 fields, the first row has 2'],
    ['a missing field', `${GOOD}Rome\n`, 'sales.csv:5: the row has 1 field, the first row has 2'],
    [
      'an unclosed quote',
      'city,revenue\nParis,10\n"Rome,20\nOslo,30\n',
      'sales.csv:3: a quote is opened and never closed',
    ],
    [
      'broken UTF-8',
      Buffer.concat([Buffer.from('city,revenue\nÅrhus,1\nMálaga,1\n'), Buffer.from([0xc3]), Buffer.from(',2\n')]),
      'sales.csv:4: 1 characters cannot be decoded',
    ],
  ])('gives no figure where a row has %s, and names file and line', async (_name, csv, problem) => {
    const result = await askOver(csv);
    expect(result).toMatchObject({ confidence: 'low', sources: [] });
    expect(result.content).toContain(problem);
    expect(result.content).not.toContain('Average revenue:');
  });

  it('reports missing values at load and with each answer that uses the column', async () => {
    const csv = `${GOOD}Rome,n/a\nParis,-\n`;
    const note = '2 of 5 values of revenue are missing ("n/a", "-", first on line 5 of sales.csv).';
    const average = await askOver(csv);
    expect(average).toMatchObject({
      confidence: 'medium',
      partial_results: true,
      error_details: [{ reason: note }],
      logged: [note],
    });
    expect(average.content).toContain(note);
    expect(average.checks?.every(({ found }) => found)).toBe(true);
    const cities = await askOver(csv, 'Which city has the most sales?');
    expect(cities).toMatchObject({ confidence: 'high', partial_results: false });
  });

  it('reports values that make a text of a number column', async () => {
    const rows = Array.from({ length: 12 }, (_, at) => `Paris,${at}`).join('\n');
    const result = await askOver(`city,revenue\n${rows}\nRome,"1,234"\n`);
    const reason = 'revenue of sales.csv is read as text, because 1 of 13 values are not numbers, such as "1,234".';
    expect(result).toMatchObject({ confidence: 'medium', error_details: [{ reason }] });
  });

  it.each([
    ['UTF-8 with a mark', Buffer.from('\ufeffcity,revenue\nMálaga,10\n'), []],
    ['UTF-16', Buffer.from('\ufeffcity,revenue\nMálaga,10\n', 'utf16le'), []],
    [
      'Windows-1252',
      Buffer.from('city,revenue\nMálaga,10\n', 'latin1'),
      ['sales.csv is not UTF-8 and was read as windows-1252; save it as UTF-8 if letters are wrong'],
    ],
  ])('reads %s', async (_name, csv, warnings) => {
    const result = await askOver(csv, 'Which city has the most sales?');
    expect(result.content).toContain('Málaga has the highest sales: 1 sale');
    expect(result.logged).toEqual(warnings);
  });

  it('is read by check, which refuses a malformed file and warns of missing values', async () => {
    const check = (csv: string) => promisify(execFile)(process.execPath, [COMMAND, 'check', agentWith(csv)]);
    await expect(check(`${GOOD}Rome,1,2\n`)).rejects.toMatchObject({
      stderr: expect.stringContaining('tools.sales: sales.csv:5: the row has 3 fields, the first row has 2'),
    });
    await expect(check('city,revenue\nParis,low\nRome,high\n')).rejects.toMatchObject({
      stderr: expect.stringContaining('space.yaml:7:31 measures."average revenue".average: sales.revenue holds texts'),
    });
    const { stdout, stderr } = await check(`${GOOD}Rome,n/a\n`);
    expect([stdout, stderr]).toEqual([
      expect.stringContaining('is valid'),
      'warning: tools.sales: 1 of 4 values of revenue is missing ("n/a", first on line 5 of sales.csv).\n',
    ]);
  });
});
