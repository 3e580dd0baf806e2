import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadAgent } from '../../src/config/load-agent.ts';
import { userFromId } from '../../src/identity/user.ts';
import { UNSURE } from '../../src/knowledge/answer/extract.ts';
import { NOT_FOUND } from '../../src/knowledge/answer/plan-knowledge.ts';
import { createRuntime } from '../../src/runtime/runtime.ts';
import type { TurnResult } from '../../src/schema/conversation/turn.ts';

const AGENT = fileURLToPath(new URL('../../agents/handbook/agent.yaml', import.meta.url));
const SETS = fileURLToPath(new URL('../data/knowledge', import.meta.url));
const user = userFromId('123e4567-e89b-12d3-a456-426614174000');

export interface HandbookQuestion {
  question: string;
  /** `far` and `near` questions have no answer in the handbook; near ones use its words. */
  kind: string;
}

export interface HandbookAnswer {
  isRefused: boolean;
  isUnsure: boolean;
  isHigh: boolean;
  /** True if every passage that the answer cites opens at its words. */
  opens: boolean;
}

interface HandbookDesk {
  /** Asks in a new conversation. */
  ask(question: string): Promise<HandbookAnswer>;
  close(): Promise<void>;
}

/** The questions about the handbook by file; each file is a set of its own. */
export function readHandbookQuestions(): Map<string, HandbookQuestion[]> {
  const files = globSync('questions*.jsonl', { cwd: SETS }).sort();
  const linesOf = (file: string) => readFileSync(join(SETS, file), 'utf8').trim().split('\n');
  return new Map(files.map((file) => [file, linesOf(file).map((line): HandbookQuestion => JSON.parse(line))]));
}

/** The shipped handbook agent with the built-in model, as a user has it. */
export async function openHandbook(): Promise<HandbookDesk> {
  const folder = mkdtempSync(join(tmpdir(), 'holodeck-handbook-'));
  const agent = await loadAgent(AGENT);
  const runtime = await createRuntime({ agents: [agent], folder });
  const opensAll = async ({ content, citations = [] }: TurnResult) => {
    const ids = new Set(content.match(/\[p\d+\]/g) ?? []);
    const opened = citations.map(async ({ document, start, end, version, knowledge, quote }) => {
      const place = await runtime.openPassage(user, { agent: agent.name, document, start, end, version, knowledge });
      return place.is_current && place.text === quote;
    });
    return ids.size > 0 && ids.size === citations.length && (await Promise.all(opened)).every(Boolean);
  };
  return {
    async ask(question) {
      const turn = await runtime.chat(user, { agent: agent.name, message: question });
      for await (const event of turn.events) {
        if (event.type !== 'turn-end') continue;
        const { result } = event;
        const isRefused = result.content.startsWith(NOT_FOUND);
        return {
          isRefused,
          isUnsure: result.content.startsWith(UNSURE),
          isHigh: result.confidence === 'high',
          opens: !isRefused && (await opensAll(result)),
        };
      }
      throw new Error(`The turn of "${question}" did not end.`);
    },
    async close() {
      await runtime.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
