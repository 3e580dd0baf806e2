import type { Event, EventOf } from '../../schema/conversation/event.ts';
import type { TurnResult, TurnStatus } from '../../schema/conversation/turn.ts';
import { sanitizeJson } from '../../tools/sanitize.ts';

/** The ids of a task: our turn in its conversation, under the name that the client gave the conversation. */
export interface TaskPlace {
  taskId: string;
  contextId: string;
}

export type A2aPartOut = { text: string } | { data: unknown };

export interface A2aMessage extends TaskPlace {
  messageId: string;
  role: 'ROLE_AGENT' | 'ROLE_USER';
  parts: A2aPartOut[];
}

export interface A2aStatus {
  state: string;
  timestamp?: string;
  message?: A2aMessage;
}

interface A2aArtifact {
  artifactId: string;
  name: string;
  parts: A2aPartOut[];
}

export interface A2aTask {
  id: string;
  contextId: string;
  status: A2aStatus;
  artifacts?: A2aArtifact[];
  history?: A2aMessage[];
}

/** The response to a message, and what a stream consists of. */
export type A2aResult =
  | { task: A2aTask }
  | { statusUpdate: TaskPlace & { status: A2aStatus } }
  | { artifactUpdate: TaskPlace & { artifact: A2aArtifact; append: boolean } };

/** Gives responses the names of the client's version. */
export interface A2aNames {
  task(task: A2aTask): unknown;
  result(result: A2aResult): unknown;
}

export const NEW_NAMES: A2aNames = { task: (task) => task, result: (result) => result };

const STATES: Record<TurnStatus, string> = {
  running: 'TASK_STATE_WORKING',
  waiting: 'TASK_STATE_INPUT_REQUIRED',
  completed: 'TASK_STATE_COMPLETED',
  max_iterations_reached: 'TASK_STATE_COMPLETED',
  cancelled: 'TASK_STATE_CANCELED',
  error: 'TASK_STATE_FAILED',
  /** The turn continues when its message is sent again. */
  interrupted: 'TASK_STATE_INPUT_REQUIRED',
};
export function toTaskState(status: TurnStatus): string {
  return STATES[status];
}

const INTERRUPTED = 'The server stopped in the middle of this task. Send the message again to continue it.';

type Waits = ReadonlyMap<string, Pick<EventOf<'tool-call-wait'>, 'tool' | 'wait' | 'agent'>>;

/** Reads the state of a task from the events of its turn. */
export function createTaskReader(place: TaskPlace) {
  const waits = new Map<string, EventOf<'tool-call-wait'>>();
  const history: A2aMessage[] = [];
  let last: Event | undefined;
  const take = (event: Event) => {
    history.push(...messagesOf(place, event));
    if (event.type === 'tool-call-wait') waits.set(event.call_id, event);
    if (event.type === 'tool-call-end') waits.delete(event.call.id);
    if (BORDERS.has(event.type)) last = event;
  };
  /** With the newest `historyLength` messages. */
  const task = (historyLength = 0): A2aTask => {
    const ended = last?.type === 'turn-end' ? last.result : undefined;
    return {
      id: place.taskId,
      contextId: place.contextId,
      status: statusOf(place, last, waits),
      ...(ended && { artifacts: artifactsOf(place, ended) }),
      ...(historyLength > 0 && { history: history.slice(-historyLength) }),
    };
  };
  return { take, task, status: () => statusOf(place, last, waits) };
}

const BORDERS = new Set<Event['type']>(['turn-start', 'turn-resume', 'turn-wait', 'turn-interrupt', 'turn-end']);

function statusOf(place: TaskPlace, last: Event | undefined, waits: Waits): A2aStatus {
  const timestamp = last?.at;
  const say = (status: TurnStatus, parts?: A2aPartOut[]): A2aStatus => ({
    state: STATES[status],
    ...(timestamp && { timestamp }),
    ...(parts && { message: toMessage(place, `${place.taskId}-status`, parts) }),
  });
  switch (last?.type) {
    case 'turn-end': {
      const { status, error } = last.result;
      return say(status, error && [{ text: error.message }, { data: { code: error.code } }]);
    }
    case 'turn-wait':
      return say('waiting', toQuestions(last.calls, waits));
    case 'turn-interrupt':
      return say('interrupted', [{ text: INTERRUPTED }, { data: { code: 'turn_interrupted' } }]);
    default:
      return say('running');
  }
}

function toMessage({ taskId, contextId }: TaskPlace, messageId: string, parts: A2aPartOut[]): A2aMessage {
  return { messageId, taskId, contextId, role: 'ROLE_AGENT', parts };
}

/** The texts of user and agent that an event brings. */
function messagesOf(place: TaskPlace, event: Event): A2aMessage[] {
  if (event.type === 'turn-start') {
    const { id, content } = event.message;
    return [{ ...toMessage(place, id, [{ text: content }]), role: 'ROLE_USER' }];
  }
  if (event.type !== 'turn-end') return [];
  const said = event.result.messages.filter(({ role, content }) => role === 'assistant' && content !== '');
  return said.map(({ id, content }) => toMessage(place, id, [{ text: content }]));
}

/** The questions as a sentence for people, and as data for programs. */
function toQuestions(calls: readonly string[], waits: Waits): A2aPartOut[] {
  const questions = calls.flatMap((call_id): { message: string }[] => {
    const waiting = waits.get(call_id);
    if (!waiting || waiting.wait.kind === 'client') return [];
    const { tool, wait, agent } = waiting;
    if (wait.kind === 'input') {
      const { question: message, schema } = wait;
      const asked = { call_id, tool, kind: wait.kind, message, ...(schema && { schema }) };
      return [asked];
    }
    const args = sanitizeJson(wait.sent_arguments);
    const what = agent ? `${agent} to call ${tool}` : tool;
    const message = `Allow ${what} with ${JSON.stringify(args)}? Answer yes or no.`;
    const asked = { call_id, tool, ...(agent && { agent }), kind: wait.kind, message, arguments: args };
    return [asked];
  });
  return [{ text: questions.map(({ message }) => message).join('\n') }, { data: { questions } }];
}

function artifactsOf({ taskId }: TaskPlace, { content, messages }: TurnResult): A2aArtifact[] {
  if (content === '') return [];
  const answer = messages.findLast((message) => message.role === 'assistant');
  return [{ artifactId: answer?.id ?? taskId, name: 'answer', parts: [{ text: content }] }];
}
