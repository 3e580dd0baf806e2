import { Arguments } from '../chat/calls/call-details.tsx';
import { PANEL_STRINGS } from '../panel-strings.ts';
import { FoldedText } from '../parts/folded-text.tsx';
import { cleanName } from '../parts/format.ts';
import type { Span } from './trace-spans.ts';

/** Details of the chosen step (prompt, tools, tokens) or call (arguments, state). */
export function SpanDetails({ span }: { span: Span }) {
  const { step, call } = span;
  return (
    <section className="span-details" aria-label={cleanName(span.label)}>
      <h3>{cleanName(span.label)}</h3>
      {step?.model && <p className="muted small">{step.model}</p>}
      {step?.tokens_used && (
        <p className="small">
          {PANEL_STRINGS.trace.inAndOut(step.tokens_used.prompt_tokens, step.tokens_used.completion_tokens)}
        </p>
      )}
      {step?.error && <p className="problem mild">{step.error}</p>}
      {step?.tools && <p className="muted small">{PANEL_STRINGS.trace.tools(step.tools.map(cleanName).join(', '))}</p>}
      {step?.prompt?.map((message, index) => (
        <div key={`${index}.${message.role}`} className="prompt-message">
          <h4>{message.role}</h4>
          <FoldedText text={promptText(message)} />
        </div>
      ))}
      {step?.prompt_cut && <p className="muted small">{PANEL_STRINGS.trace.cut}</p>}
      {step && !step.prompt && <p className="muted small">{PANEL_STRINGS.trace.noPrompt}</p>}
      {call && <p className="muted small">{PANEL_STRINGS.trace.state(call.state)}</p>}
      {call?.sent_arguments && <Arguments value={call.sent_arguments} />}
      {call?.error && <p className="problem mild">{call.error.message}</p>}
    </section>
  );
}

type Message = NonNullable<NonNullable<Span['step']>['prompt']>[number];

function promptText({ content, tool_calls: calls = [] }: Message): string {
  const asked = calls.map(({ name, arguments: args }) => `${name}(${JSON.stringify(args)})`);
  return [...(content === '' ? [] : [content]), ...asked].join('\n');
}
