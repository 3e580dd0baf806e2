import { splitQuestions } from '../../../language/split-questions.ts';
import type { WordVectors } from '../../../language/word-vectors.ts';
import type { ToolDefinition } from '../../../models/model.ts';
import type { Domain } from '../../../schema/domain.ts';
import type { JsonObject } from '../../../schema/json.ts';
import type { Outcome, TurnView } from '../../conversation.ts';
import type { Plan, PlannedCall } from '../../plan.ts';
import { describeOutcome } from '../../tools/describe-result.ts';
import { readMessageSignals } from '../../tools/message-signals.ts';
import { scoreTools } from '../../tools/score-tools.ts';
import { argumentsOf, readToolDocument } from '../../tools/tool-document.ts';

export interface QuestionTalk {
  domains: readonly Domain[];
  /** Those of the domains that the question needs; routing has chosen them. */
  tools: readonly ToolDefinition[];
  vectors: WordVectors;
}

const QUESTION = /^(?:query|question|prompt|text|message)$/;

/** A question over data: every tool that is offered is asked, all at once, and what they answered is said, each under its name. */
export function* planQuestionTurn(turns: readonly TurnView[], talk: QuestionTalk): Plan {
  const turn = turns.at(-1);
  const text = turn?.message.content ?? '';
  const asked = talk.tools.filter((tool) => questionArgument(tool) !== undefined);
  if (asked.length === 0 && (turn?.records.length ?? 0) === 0) return { text: sayWhatIsKnown(talk), intents: [] };
  const calls = toCalls(text, asked.length > 0 ? asked : recordedTools(turn), talk.vectors);
  const outcomes = yield calls;
  const parts = calls.map((call, index) => describePart(call, outcomes[index], { talk, count: calls.length }));
  return { text: parts.join('\n\n'), intents: [] };
}

/** At the last summary no tool is offered; what was asked is on record. */
function recordedTools(turn: TurnView | undefined): ToolDefinition[] {
  return (turn?.records ?? []).map(({ name }) => ({
    name,
    description: '',
    inputSchema: { properties: { query: { type: 'string' } } },
  }));
}

function toCalls(text: string, tools: readonly ToolDefinition[], vectors: WordVectors): PlannedCall[] {
  const questions = shareOut(text, tools, vectors);
  return tools.map((tool) => {
    const args: JsonObject = { [questionArgument(tool) ?? 'query']: questions.get(tool.name) ?? text };
    return { name: tool.name, arguments: args };
  });
}

/** Each tool gets the part of the question that is about it; all get the whole where the parts do not cover them. */
function shareOut(text: string, tools: readonly ToolDefinition[], vectors: WordVectors): Map<string, string> {
  const documents = tools.map(readToolDocument);
  const questions = new Map<string, string>();
  for (const part of tools.length > 1 ? splitQuestions(text) : []) {
    const [best] = scoreTools(readMessageSignals(part), documents, vectors).toSorted((a, b) => b.total - a.total);
    const name = best?.document.tool.name ?? '';
    const earlier = questions.get(name);
    questions.set(name, earlier === undefined ? part : `${earlier} and ${part}`);
  }
  return questions.size === tools.length ? questions : new Map();
}

function questionArgument(tool: ToolDefinition): string | undefined {
  return argumentsOf(tool.inputSchema).find(({ name, schema }) => QUESTION.test(name) && schema.type === 'string')
    ?.name;
}

interface PartContext {
  talk: QuestionTalk;
  count: number;
}

function describePart({ name }: PlannedCall, outcome: Outcome | undefined, { talk, count }: PartContext): string {
  const label = talk.domains.find((domain) => domain.mcp_tools.includes(name))?.display_name ?? name;
  const text = outcome ? describeOutcome(outcome) : 'There was no answer.';
  return count > 1 ? `${label}: ${text}` : text;
}

function sayWhatIsKnown({ domains }: QuestionTalk): string {
  const names = domains.filter((domain) => domain.enabled).map((domain) => domain.display_name);
  const last = names.pop() ?? 'its data';
  const listed = names.length > 0 ? `${names.join(', ')} and ${last}` : last;
  return `I can't answer that from my data. I can answer questions about ${listed}: what would you like to know there?`;
}
