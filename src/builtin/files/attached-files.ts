import type { ToolDefinition } from '../../models/model.ts';
import { FileNote } from '../../schema/file.ts';
import { isObject } from '../../schema/json.ts';
import type { TurnView } from '../conversation.ts';

/** The tool that reads the files of a conversation. */
export const READ_ATTACHMENT = 'read_attachment';

export interface AttachedFile {
  /** The number that the reading tool uses. */
  number: number;
  filename: string;
  mimeType: string;
  /** The index of the turn that brought it. */
  turn: number;
}

/** The attached files, oldest first. Early messages may be missing, so numbers are counted from the end. */
export function readAttachedFiles(turns: readonly TurnView[], tools: readonly ToolDefinition[]): AttachedFile[] {
  const notes = turns.flatMap(({ message }, turn) => {
    const files = FileNote.array().safeParse(message.metadata.files).data ?? [];
    return files.map(({ filename, mime_type }) => ({ filename, mimeType: mime_type, turn }));
  });
  const unseen = (countFiles(tools) ?? notes.length) - notes.length;
  return notes.map((note, index) => ({ number: unseen + index + 1, ...note })).filter(({ number }) => number > 0);
}

function countFiles(tools: readonly ToolDefinition[]): number | undefined {
  const properties = tools.find((tool) => tool.name === READ_ATTACHMENT)?.inputSchema.properties;
  const file = isObject(properties) ? properties.file : undefined;
  return isObject(file) && typeof file.maximum === 'number' ? file.maximum : undefined;
}
