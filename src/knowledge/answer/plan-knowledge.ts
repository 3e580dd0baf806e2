import type { TurnView } from '../../builtin/conversation.ts';
import type { Plan, PlanReply } from '../../builtin/plan.ts';
import type { ModelRequest } from '../../models/model.ts';
import { writeExtract } from './extract.ts';
import { toQuestion } from './question.ts';
import { headingsIn, type KnowledgeOf, passagesIn } from './returned-passages.ts';

/** Plans the turn as if the agent had no documents, with the given tools. */
type Otherwise = (request: ModelRequest) => Plan;

/**
 * How the built-in model answers from documents: it searches, then quotes the sentence that fits best. An agent with
 * other tools uses those if nothing was found; one without them says that nothing was found.
 */
export function* planKnowledgeTurn(
  turns: readonly TurnView[],
  request: ModelRequest,
  { knowledgeOf, otherwise }: { knowledgeOf: KnowledgeOf; otherwise: Otherwise },
): Plan {
  const names = request.tools.map(({ name }) => name).filter((name) => knowledgeOf(name) !== undefined);
  const tools = request.tools.filter(({ name }) => !names.includes(name));
  const text = turns.at(-1)?.message.content ?? '';
  const question = toQuestion(text, turns.at(-2)?.message.content);
  const isAlone = tools.length === 0;
  if (question === undefined) return isAlone ? greet(text) : yield* otherwise({ ...request, tools });
  if (!isAlone && !QUESTION.test(text)) return yield* otherwise({ ...request, tools });
  const outcomes = yield names.map((name) => ({ name, arguments: { query: question } }));
  const passages = outcomes.flatMap((outcome, index) =>
    'result' in outcome ? passagesIn(outcome.result, knowledgeOf(names[index] ?? '') ?? '') : [],
  );
  if (passages.length > 0) return say(writeExtract(question, passages), 'search_documents');
  if (!isAlone) return yield* otherwise({ ...request, tools });
  const failed = outcomes.find((outcome) => 'error' in outcome);
  if (failed && 'error' in failed) return say(writeFailure(failed.error.message), 'unknown');
  return say(writeRefusal(outcomes.flatMap((one) => ('result' in one ? headingsIn(one.result) : []))), 'unknown');
}

const QUESTION =
  /\?\s*$|^\s*(?:wh(?:at|om?|ose|en|ere|y|ich)|how|is|are|do|does|can|may|must|should|am|tell me|explain)\b/i;

function greet(text: string): PlanReply {
  if (/\b(?:thanks?|thank you|thx|cheers)\b/i.test(text)) return say("You're welcome.", 'unknown');
  if (/\b(?:bye|goodbye|see you)\b/i.test(text)) return say('Goodbye.', 'unknown');
  return say('I answer from your documents and quote the passage. What would you like to know?', 'unknown');
}

function say(text: string, name: string): PlanReply {
  return { text, intents: [{ name, confidence: 1, parameters: {} }] };
}

const MAX_HEADINGS = 3;
export const NOT_FOUND = 'I could not find this in your documents.';

/** The answer if no passage is above the floor: it names the nearest headings, so that people see what was searched. */
export function writeRefusal(headings: readonly string[]): string {
  const nearest = [...new Set(headings)].slice(0, MAX_HEADINGS);
  if (nearest.length === 0) return NOT_FOUND;
  return [NOT_FOUND, '', 'The nearest sections are:', ...nearest.map((heading) => `- ${heading}`)].join('\n');
}

/** A search that failed has found nothing, but the documents may hold the answer. */
export function writeFailure(reason: string): string {
  return `I could not search your documents: ${reason}`;
}
