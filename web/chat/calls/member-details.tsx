import type { Trace, TraceCall, TraceMember } from '../../../src/schema/conversation/trace.ts';
import { FoldedText } from '../../parts/folded-text.tsx';
import { cleanName, formatDuration } from '../../parts/format.ts';
import { LoadProblem, useLoaded } from '../../parts/loaded.tsx';
import { usePage } from '../../state/context.ts';
import type { Call } from '../../state/turn.ts';
import { STRINGS } from '../../strings.ts';

/** The task of a member, its steps, and its answer. */
export function MemberDetails({ call, turnId }: { call: Call; turnId: string }) {
  const answer = answerOf(call.result);
  return (
    <>
      <h3>{STRINGS.member.task}</h3>
      <FoldedText text={taskOf(call.sent ?? call.arguments)} />
      <Steps call={call} turnId={turnId} />
      {(answer ?? call.error) !== undefined && (
        <>
          <h3>{STRINGS.member.answer}</h3>
          <FoldedText text={answer ?? call.error ?? ''} />
        </>
      )}
    </>
  );
}

/** The calls of the member's turn, as the trace has them; those of its own members are named with them. */
function Steps({ call, turnId }: { call: Call; turnId: string }) {
  const id = usePage(({ conversation }) => conversation.id);
  const { value, problem, reload } = useLoaded<Trace>(
    id && `/sessions/${id}/turns/${turnId}/trace`,
    `${call.state} ${call.progress}`,
  );
  if (problem) return <LoadProblem text={problem} onRetry={reload} />;
  const steps = stepsOf(value?.members ?? [], call.id);
  if (steps.length === 0) return null;
  return (
    <>
      <h3>{STRINGS.member.steps}</h3>
      <ol className="plain-list member-steps">
        {steps.map(({ agent, step }) => (
          <li key={step.call_id}>
            {cleanName(agent ? `${agent}: ${step.name}` : step.name)}
            <span className="muted">
              {' '}
              {STRINGS.call[step.state]}
              {step.duration_ms === undefined ? '' : ` · ${formatDuration(step.duration_ms)}`}
            </span>
          </li>
        ))}
      </ol>
    </>
  );
}

interface Step {
  /** The member below this one that made the call. */
  agent?: string;
  step: TraceCall;
}

function stepsOf(members: readonly TraceMember[], callId: string, agent?: string): Step[] {
  const member = members.find(({ call_id }) => call_id === callId);
  return (member?.calls ?? []).flatMap((step) => {
    const below = members.find(({ call_id }) => call_id === step.call_id);
    return below ? stepsOf(members, step.call_id, below.agent) : [{ ...(agent && { agent }), step }];
  });
}

/** The task, and the inputs in one line below it. */
export function taskOf(text: string): string {
  try {
    const { task, inputs } = JSON.parse(text) as { task?: string; inputs?: object };
    return [task ?? '', ...(inputs ? [JSON.stringify(inputs)] : [])].join('\n');
  } catch {
    return text;
  }
}

function answerOf(result: Call['result']): string | undefined {
  if (typeof result !== 'object' || result === null || Array.isArray(result)) return undefined;
  return typeof result.answer === 'string' ? result.answer : JSON.stringify(result, null, 2);
}
