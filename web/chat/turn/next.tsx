import { useActions } from '../../state/context.ts';
import { answerOf, type Turn } from '../../state/turn.ts';

/** Messages that may come next, as buttons; only below the newest answer. */
export function Next({ label, choices }: { label: string; choices: readonly Choice[] }) {
  const actions = useActions();
  if (choices.length === 0) return null;
  return (
    <ul className="next" aria-label={label}>
      {choices.map((choice) => (
        <li key={choice.label}>
          <button type="button" className="suggestion" onClick={() => void actions.send(choice.text, [])}>
            {choice.label}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** An answer to a question of the agent. */
export interface Choice {
  label: string;
  /** The message that a click sends. */
  text: string;
}

const NUMBERED = /(\d+)\. '.+?' \([^()]*\)/g;
const QUOTED = /'(.+?)'(?=, | or |\?| and \d)/g;
const SUBJECT = /^- ([^:\n]+):/gm;

/** Answers that the agent's question names: tasks in quotes, or subjects in a list. */
export function choicesOf(turn: Turn): readonly Choice[] {
  const question = turn.facts.intent?.clarification_question;
  if (question !== undefined) {
    const numbered = [...question.matchAll(NUMBERED)].map(([label, number = '']) => ({ label, text: number }));
    return numbered.length > 0 ? numbered : several([...question.matchAll(QUOTED)]);
  }
  return turn.routing?.clarification_needed ? several([...(answerOf(turn)?.text ?? '').matchAll(SUBJECT)]) : [];
}

/** A single name is the subject of a yes-or-no question. */
function several(found: readonly RegExpExecArray[]): Choice[] {
  return found.length < 2 ? [] : found.map(([, name = '']) => ({ label: name, text: name }));
}
