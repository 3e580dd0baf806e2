import type { IntentConfig } from '../schema/agent.ts';
import { actionsOf } from './actions.ts';
import { type MessageFacts, readMessageFacts } from './message-facts.ts';
import { scoreTools } from './score-tools.ts';
import { isContentWord, splitWords, type ToolDocument } from './tool-document.ts';
import type { WordVectors } from './word-vectors.ts';
import { stem } from './words.ts';

export interface ToolChoice {
  document: ToolDocument;
  /** 0 to 1; below a half the tool is not what was asked for. */
  confidence: number;
  /** The intent of agent.yaml that names the tool, otherwise the tool's own name. */
  intent: string;
}

export interface ToolKnowledge {
  documents: readonly ToolDocument[];
  intents: Readonly<Record<string, IntentConfig>>;
  vectors: WordVectors;
}

/** Scores at which a tool is as likely meant as not, and how fast that grows; from messages that fit no tool. */
const EVEN_SCORE = 2.2;
const STEEPNESS = 1.2;
const EXAMPLE_WEIGHT = 4;
const KEYWORD_WEIGHT = 0.8;

/** All tools for a message, the likeliest first. */
export function rankTools(text: string, { documents, intents, vectors }: ToolKnowledge): ToolChoice[] {
  const facts = readMessageFacts(text);
  return scoreTools(facts, documents, vectors)
    .map(({ document, total }) => {
      const named = Object.entries(intents).find(([, intent]) => intent.tool === document.tool.name);
      const score = total + (named ? authorScore(facts, named[1]) : 0);
      return { document, intent: named?.[0] ?? document.tool.name, confidence: toConfidence(score) };
    })
    .sort((a, b) => b.confidence - a.confidence);
}

function toConfidence(score: number): number {
  return 1 / (1 + Math.exp(-STEEPNESS * (score - EVEN_SCORE)));
}

/** The author's own examples and keywords. */
function authorScore({ stems, words }: MessageFacts, { examples, keywords }: IntentConfig): number {
  const likeness = Math.max(
    0,
    ...examples.map((example) => overlap(stems, new Set(splitWords(example).filter(isContentWord).map(stem)))),
  );
  const keyword = keywords.some((word) => words.includes(word.toLowerCase())) ? KEYWORD_WEIGHT : 0;
  return EXAMPLE_WEIGHT * likeness + keyword;
}

function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = [...a].filter((word) => b.has(word)).length;
  return shared / Math.max(1, a.size + b.size - shared);
}

export type ToolEffect = 'read' | 'write' | 'remove';

/** What a tool does to the world, by the verbs of its name; unknown ones may write. */
export function effectOf({ name, description }: ToolDocument): ToolEffect {
  const kinds = actionsOf(name.length > 0 ? name : description.slice(0, 2));
  if (kinds.has('remove')) return 'remove';
  return kinds.has('read') || kinds.has('calculate') ? 'read' : 'write';
}

/** Removing is only ever done when the message asks for just that. */
export function asksToRemove(text: string): boolean {
  return (
    readMessageFacts(text).actions.has('remove') || /\b(?:get rid|throw away|wipe|purge|scrap|discard)\b/i.test(text)
  );
}
