import type { Agent } from '../../schema/agent.ts';
import type { Event, EventOf } from '../../schema/conversation/event.ts';
import type { TurnResult } from '../../schema/conversation/turn.ts';
import { timeLimits } from '../../schema/model-limits.ts';
import { sanitizeText } from '../../tools/sanitize.ts';
import type { Colors } from '../terminal/colors.ts';
import { cutToWidth, widthOf } from '../terminal/display-width.ts';
import type { Screen } from '../terminal/screen.ts';
import { wrapSpans } from '../terminal/spans.ts';
import { createAnswer } from './answer.ts';
import { createCallGroup } from './call-group.ts';
import { drawingRows } from './drawing-rows.ts';
import { createSpeakerLine, type Renderer } from './renderer.ts';
import { labelled, resultRows } from './result-rows.ts';

export interface TerminalRendererOptions {
  screen: Screen;
  colors: Colors;
  agent: Pick<Agent, 'loop' | 'model'>;
  verbose?: boolean;
  /** Shows answers only. */
  quiet?: boolean;
}

/** Shows a turn in a terminal: text and calls change in place, everything else is printed as permanent lines. */
export function createTerminalRenderer(options: TerminalRendererOptions): Renderer {
  const { screen, colors, verbose = false, quiet = false } = options;
  const answer = createAnswer({ screen, colors });
  const calls = createCallGroup({ screen, colors, verbose });
  const pause = () => {
    answer.commit();
    calls.commit();
  };
  const print = (rows: readonly string[]) => {
    pause();
    if (rows.length > 0) screen.print(rows.join('\n'));
  };
  const aside = (text: string, look: (text: string) => string) => print(asideRows(text, look, screen.width));

  const announce = createSpeakerLine((line) => quiet || aside(line, colors.dim));
  const show = (event: Event) => {
    announce(event);
    switch (event.type) {
      case 'text-delta':
        calls.commit();
        answer.push(event.text);
        return;
      case 'step-start':
        if (verbose && !quiet) print([colors.dim(stepText(event, options.agent))]);
        answer.begin();
        calls.think();
        return;
      case 'step-end':
        if (event.message?.tool_calls) pause();
        return;
      case 'reasoning-delta':
        if (!answer.isOpen) calls.think(verbose ? event.text : undefined);
        return;
      case 'notice':
        if (!quiet) aside(event.text, colors.yellow);
        return;
      case 'routing':
        if (!quiet) print(routingRows(event, options));
        return;
      case 'intent':
        if (verbose && !quiet) for (const intent of event.intents) aside(intentText(intent), colors.dim);
        return;
      case 'file-progress':
        if (!quiet) calls.think(`${event.filename}: ${event.text}`);
        return;
      case 'file':
        if (!quiet) aside(`${event.file.filename}: ${event.file.verdict}, ${event.file.detail}`, colors.dim);
        return;
      default:
        if (/^(tool-call(?!-delta)|delegation)/.test(event.type) && !quiet) {
          answer.commit();
          calls.take(event);
        }
    }
  };

  return {
    render: show,
    pause,
    finish(result, status) {
      calls.commit();
      answer.finish(result, quiet ? undefined : status && colors.dim(status));
      print(endRows(result, { colors, width: screen.width, quiet }));
    },
    resized(isLost) {
      answer.resized(isLost);
      calls.resized(isLost);
    },
  };
}

function asideRows(text: string, style: (text: string) => string, width: number): string[] {
  return wrapSpans([{ text: sanitizeText(text), style }], width - 2).map((row) => `  ${row}`);
}

function endRows(
  result: TurnResult,
  { colors, width, quiet }: { colors: Colors; width: number; quiet: boolean },
): string[] {
  const rowsOf = (text: string, look: (text: string) => string) =>
    wrapSpans([{ text: sanitizeText(text), style: look }], width);
  return [
    ...(result.error ? rowsOf(result.error.message, colors.red) : []),
    ...(result.status === 'cancelled' ? [colors.dim('stopped')] : []),
    ...(result.warning && !quiet ? rowsOf(result.warning, colors.yellow) : []),
    ...(quiet
      ? []
      : [...drawingRows(result, { colors, width, isPlain: false }), ...resultRows(result, { colors, width })]),
  ];
}

function intentText({ name, confidence }: EventOf<'intent'>['intents'][number]): string {
  return `intent ${name}${confidence === undefined ? '' : ` ${confidence.toFixed(2)}`}`;
}

function stepText({ iteration, summary }: EventOf<'step-start'>, agent: TerminalRendererOptions['agent']): string {
  if (summary) return '  last step, without tools';
  const seconds = timeLimits(agent);
  return (
    `  step ${iteration} of ${agent.loop.max_iterations} · ${seconds.iteration} s for the model, ` +
    `${seconds.tool} s a tool, ${seconds.answer} s in all`
  );
}

function routingRows({ decision }: EventOf<'routing'>, { colors, screen, verbose }: TerminalRendererOptions): string[] {
  const domains = decision.identified_domains.join(' · ') || (decision.out_of_scope ? 'out of scope' : 'unclear');
  const text = `${sanitizeText(domains)} ${decision.confidence.toFixed(2)}`;
  const reason = cutToWidth(
    sanitizeText(decision.reasoning).replace(/\s+/g, ' '),
    Math.max(0, verbose ? 10 * screen.width : screen.width - widthOf(text) - 15),
  );
  return labelled('route', [{ text: `${text}     ` }, { text: reason, style: colors.dim }], {
    colors,
    width: screen.width,
  });
}
