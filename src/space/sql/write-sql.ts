import type { Ids } from '../../ids.ts';
import type { Model } from '../../models/model.ts';
import type { Message } from '../../schema/conversation/message.ts';
import type { LoadedTable } from '../load/load-tables.ts';
import type { SpaceFile } from '../load/space-file.ts';

export interface SqlRequestOptions {
  question: string;
  space: SpaceFile;
  tables: readonly LoadedTable[];
  /** The database's error about the last try. */
  refusal?: { sql: string; reason: string };
  signal: AbortSignal;
  now: Date;
  ids: Ids;
}

const MAX_SQL_CHARS = 20_000;

/** Asks a model for a SELECT; undefined if it reports that the data does not answer the question. */
export async function writeSql(model: Model, options: SqlRequestOptions): Promise<string | undefined> {
  const { question, refusal, now, ids, signal } = options;
  const content = refusal
    ? `${question}\n\nYour last query was refused (${refusal.reason}):\n${refusal.sql}\nWrite it again.`
    : question;
  const message: Message = { id: ids.ulid(), role: 'user', content, timestamp: now.toISOString(), metadata: {} };
  let text = '';
  const request = { system: describeSchema(options), messages: [message], tools: [], now, timezone: 'UTC' };
  for await (const chunk of model.stream(request, { signal })) {
    if (chunk.type === 'text' && text.length < MAX_SQL_CHARS) text += chunk.text;
  }
  const sql = (/```(?:sql)?\s*([\s\S]*?)```/i.exec(text)?.[1] ?? text).trim().replace(/;\s*$/, '');
  return /^(?:select|with)\b/i.test(sql) ? sql : undefined;
}

function describeSchema({ space, tables }: SqlRequestOptions): string {
  const lines = tables.flatMap(({ name, columns, rows }) => {
    const about = space.tables[name];
    const described = columns.map(({ name: column, type }) => {
      const words = about?.columns[column];
      const text = typeof words === 'string' ? words : words?.description;
      return `  ${column} ${type}${text ? ` -- ${text}` : ''}`;
    });
    return [`${name} (${rows} rows)${about?.description ? ` -- ${about.description}` : ''}`, ...described];
  });
  return [
    'You write one SQLite SELECT statement that answers the question from these tables. Reply with the statement alone.',
    'Reply with the word NONE when the tables do not hold the answer. Name columns in words that people understand.',
    ...lines,
  ].join('\n');
}
