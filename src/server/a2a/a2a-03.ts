import { isObject, type Json, type JsonObject } from '../../schema/json.ts';
import type { A2aMessage, A2aNames, A2aPartOut, A2aStatus, A2aTask } from './a2a-task.ts';

/** A2A 0.3, whose clients are still the most common: the same calls, whose methods, parts and states have other names. */

const METHODS: Readonly<Record<string, string>> = {
  'message/send': 'SendMessage',
  'message/stream': 'SendStreamingMessage',
  'tasks/get': 'GetTask',
  'tasks/cancel': 'CancelTask',
  'tasks/resubscribe': 'SubscribeToTask',
  'tasks/pushNotificationConfig/set': 'CreateTaskPushNotificationConfig',
  'tasks/pushNotificationConfig/get': 'GetTaskPushNotificationConfig',
  'tasks/pushNotificationConfig/list': 'ListTaskPushNotificationConfigs',
  'tasks/pushNotificationConfig/delete': 'DeleteTaskPushNotificationConfig',
};

/** A request of 0.3 under the names of 1.0. Methods of 0.3 have a slash; undefined for any other. */
export function readOldCall(method: string, params: JsonObject): { method: string; params: JsonObject } | undefined {
  if (!method.includes('/')) return undefined;
  return { method: METHODS[method] ?? method, params: readParams(params) };
}

function readParams(params: JsonObject): JsonObject {
  const { message, configuration } = params;
  // The schema of 1.0 reports missing fields.
  if (!isObject(message) || !Array.isArray(message.parts)) return params;
  const given = { ...params, message: { ...message, parts: message.parts.map(readPart) } };
  if (!isObject(configuration)) return given;
  return { ...given, configuration: { ...configuration, returnImmediately: configuration.blocking === false } };
}

function readPart(part: Json): Json {
  if (!isObject(part) || !isObject(part.file)) return part;
  const { bytes, uri, name, mimeType } = part.file;
  const given = { raw: bytes ?? null, url: uri ?? null, filename: name ?? null, mediaType: mimeType ?? null };
  return given;
}

/** Responses of 0.3: each object names its kind. */
export const OLD_NAMES: A2aNames = {
  task: toTask,
  result(result) {
    if ('task' in result) return toTask(result.task);
    if ('statusUpdate' in result) {
      const { status, ...place } = result.statusUpdate;
      // A status is sent only when the stream ends.
      return { kind: 'status-update', ...place, status: toStatus(status), final: true };
    }
    const { artifact, ...update } = result.artifactUpdate;
    return { kind: 'artifact-update', ...update, artifact: { ...artifact, parts: artifact.parts.map(toPart) } };
  },
};

function toTask({ status, artifacts, history, ...task }: A2aTask): unknown {
  return {
    kind: 'task',
    ...task,
    status: toStatus(status),
    ...(artifacts && { artifacts: artifacts.map((each) => ({ ...each, parts: each.parts.map(toPart) })) }),
    ...(history && { history: history.map(toMessage) }),
  };
}

function toStatus({ state, message, ...status }: A2aStatus): unknown {
  const old = state.replace('TASK_STATE_', '').toLowerCase().replaceAll('_', '-');
  return { ...status, state: old, ...(message && { message: toMessage(message) }) };
}

function toMessage({ role, parts, ...message }: A2aMessage): unknown {
  return { kind: 'message', ...message, role: role === 'ROLE_USER' ? 'user' : 'agent', parts: parts.map(toPart) };
}

function toPart(part: A2aPartOut): unknown {
  return { kind: 'text' in part ? 'text' : 'data', ...part };
}
