import { citeAnswer } from '../../knowledge/cite/cite-answer.ts';
import type { EvidenceText } from '../../knowledge/cite/evidence.ts';
import { isObject } from '../../schema/json.ts';
import type { TurnOutcome } from '../expect/outcome.ts';
import type { Measured } from './measure-text.ts';

/** The measures of retrieval that our own check of citations can take, and the text whose statements it checks. */
const CHECKED = {
  faithfulness: ({ result }: TurnOutcome) => result.content,
  contextual_recall: ({ turn }: TurnOutcome) => turn.ground_truth,
};
export type Support = keyof typeof CHECKED;

export function isSupport(name: string): name is Support {
  return Object.hasOwn(CHECKED, name);
}

/**
 * The share of the statements of a text that the returned passages support, without a model. A text without statements,
 * such as a refusal, claims nothing. Throws if the turn does not have what the measure needs.
 */
export function measureSupport(name: Support, outcome: TurnOutcome): Measured {
  const text = CHECKED[name](outcome);
  if (text === undefined || text === '')
    throw new Error(`the turn has no ${name === 'faithfulness' ? 'answer' : 'ground_truth'}`);
  const passages = new Map(contextOf(outcome).map((passage, index) => [`p${index + 1}`, passage]));
  if (passages.size === 0) throw new Error('the turn has no retrieval_context');
  const plain = text.replace(/\s*\[p\d+(?:\s*[,;]\s*p\d+)*\]/g, '');
  const checks = citeAnswer({ text: plain, passages });
  const missing = checks.filter(({ found }) => !found).map((check) => check.text);
  const score = checks.length === 0 ? 1 : 1 - missing.length / checks.length;
  return { score, ...(missing.length > 0 && { reason: `no passage supports: ${missing.join(' ')}` }) };
}

/** The texts of `retrieval_context`, else the passages of searches, and the results of other tools as they are. */
function contextOf({ turn, result }: TurnOutcome): EvidenceText[] {
  const whole = (text: string): EvidenceText => ({ title: '', breadcrumb: [], text });
  if (turn.retrieval_context) return turn.retrieval_context.map(whole);
  return result.tool_calls.flatMap(({ result: value }) => {
    if (value === undefined) return [];
    if (!isObject(value) || !Array.isArray(value.passages)) return [whole(JSON.stringify(value))];
    return value.passages.filter(isObject).map(({ title, breadcrumb, text }) => ({
      title: String(title ?? ''),
      breadcrumb: Array.isArray(breadcrumb) ? breadcrumb.map(String) : [],
      text: String(text ?? ''),
    }));
  });
}
