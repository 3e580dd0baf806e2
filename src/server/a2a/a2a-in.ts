import { createHash } from 'node:crypto';
import { AppError } from '../../errors.ts';
import type { AttachedFile } from '../../runtime/files/attached-file.ts';
import type { CallAnswer, Event } from '../../schema/conversation/event.ts';
import type { FileContent } from '../../schema/file.ts';
import { A2aAnswers, type A2aPart, type A2aSend } from '../../schema/fronts/a2a.ts';
import { addressedFile, dataFile, decodeFiles, type UnreadFile } from '../rest/attachments.ts';

type Parts = readonly A2aPart[];

const KEY_PREFIX = 'a2a:';
/** Any other answer does not allow a call. */
const YES = /^\s*(yes|approve|approved|allow|ok)[.!]?\s*$/i;

/** The same message sent again is the same task. */
export function keyOfMessage({ messageId, contextId, taskId }: A2aSend['message']): string {
  const what = JSON.stringify([contextId ?? '', taskId ?? '', messageId]);
  return `${KEY_PREFIX}${createHash('sha256').update(what).digest('hex')}`;
}

export function textOf(parts: Parts): string {
  return parts
    .flatMap(({ text, data }) => (text ? [text] : data === undefined ? [] : [JSON.stringify(data)]))
    .join('\n');
}

export function filesOf(parts: Parts): AttachedFile[] {
  return decodeFiles(parts.flatMap((part, index) => fileOf(part, index)));
}

function fileOf({ raw, url, filename, mediaType }: A2aPart, index: number): (FileContent | UnreadFile)[] {
  if (!url && !raw) return [];
  const place = ['message', 'parts', index];
  const file = url ? addressedFile(url, mediaType, [...place, 'url']) : dataFile(raw, mediaType, [...place, 'raw']);
  return [{ ...file, ...(filename && { filename }) }];
}

/** The answers in a message to a waiting task: as data, or as one text for all of its questions. */
export function answersOf(parts: Parts, events: readonly Event[]): CallAnswer[] {
  for (const { data } of parts) {
    const given = A2aAnswers.safeParse(data);
    if (given.success) return given.data.answers;
  }
  const text = parts.flatMap((part) => part.text ?? []).join('\n');
  const wait = events.findLast((event) => event.type === 'turn-wait');
  const open = events.filter((event) => event.type === 'tool-call-wait' && wait?.calls.includes(event.call_id));
  return open.flatMap((event): CallAnswer[] => {
    if (event.type !== 'tool-call-wait') return [];
    const { call_id, wait: asked } = event;
    if (asked.kind !== 'approval') return [{ call_id, result: text }];
    const isAllowed = YES.test(text);
    return [{ call_id, approved: isAllowed, ...(!isAllowed && { reason: text.slice(0, 500) }) }];
  });
}

export function taskNotFound(): AppError {
  return new AppError('not_found', { detail: 'There is no such task.' });
}
