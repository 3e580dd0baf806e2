import type { Interrupt } from '@ag-ui/client';
import type { ToolCallState } from '../../src/schema/conversation/tool-call.ts';
import type { AnswerCheck, CitationCheck, NumberCheck, TurnStatus } from '../../src/schema/conversation/turn.ts';
import type { RoutingDecision } from '../../src/schema/domain.ts';
import type { Feedback, FileNote, FileVerdict, Json, ResultFacts } from '../api/shapes.ts';

/** `sending`: the server has not accepted it yet. `unsent`: it refused it, or was not reached. */
export type ShownStatus = TurnStatus | 'sending' | 'unsent';

export interface Question {
  /** The id by which the message is answered again. */
  id: string;
  text: string;
  files: readonly FileNote[];
}

export interface Call {
  id: string;
  name: string;
  domain?: string;
  /** As the model wrote them, in JSON. */
  arguments: string;
  /** As they were sent, with the values that the system filled in. */
  sent?: string;
  state: ToolCallState;
  result?: Json;
  error?: string;
  startedAt?: string;
  durationMs?: number;
  progress?: string;
  /** The member of the team that works for this call, and its turn. */
  member?: { agent: string; turnId: string };
  /** The call whose outcome this is; it was not run again. */
  repeats?: string;
}

/** Pieces of an answer in the order in which they came. Calls that follow each other are one piece. */
export type Part =
  | { kind: 'text'; id: string; text: string; agent?: string }
  | { kind: 'reasoning'; id: string; text: string }
  | { kind: 'calls'; id: string; calls: readonly string[] };

export type Routing = RoutingDecision;

interface TurnFailure {
  code: string;
  message: string;
  /** For developers: host, status and sentence of the provider, and the remedy. */
  cause?: string;
}

/** A question and everything until its answer, as the page shows it. */
export interface Turn {
  id: string;
  runId?: string;
  status: ShownStatus;
  question?: Question;
  /** False for a turn that another one has taken the place of. */
  isActive: boolean;
  replaces?: string;
  startedAt?: string;
  endedAt?: string;
  /** The last frame that was applied. */
  place?: readonly number[];
  step: number;
  parts: readonly Part[];
  calls: Readonly<Record<string, Call>>;
  routing?: Routing;
  checks: readonly NumberCheck[];
  /** Sentences that were compared with cited passages. */
  statements: readonly CitationCheck[];
  waits: readonly Interrupt[];
  files: readonly FileVerdict[];
  fileProgress?: string;
  notices: readonly string[];
  facts: ResultFacts;
  failure?: TurnFailure;
  feedback?: Feedback;
}

export function createTurn(id: string, status: ShownStatus): Turn {
  return {
    id,
    status,
    isActive: true,
    step: 0,
    parts: [],
    calls: {},
    checks: [],
    statements: [],
    waits: [],
    files: [],
    notices: [],
    facts: {},
  };
}

export function isRunning({ status }: Turn): boolean {
  return status === 'running' || status === 'sending';
}

/** The text that the turn's figures and its Copy button are about. */
export function answerOf({ parts }: Turn): Extract<Part, { kind: 'text' }> | undefined {
  return parts.findLast((part) => part.kind === 'text');
}

/** Figures and statements of an answer, each by its own kind. */
export function splitChecks(checks: readonly AnswerCheck[]): Pick<Turn, 'checks' | 'statements'> {
  return {
    checks: checks.filter((check) => check.kind !== 'citation'),
    statements: checks.filter((check) => check.kind === 'citation'),
  };
}
