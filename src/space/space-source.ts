import type { WordVectors } from '../builtin/word-vectors.ts';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { Model } from '../models/model.ts';
import type { Tool, ToolSource } from '../tools/tool.ts';
import type { Space } from './load-space.ts';
import { createSpaceDesk } from './space-desk.ts';
import { createSpaceJobs } from './space-jobs.ts';
import { createSpaceTools } from './space-tools.ts';
import { createSqlRunner } from './sql-runner.ts';

export interface SpaceOptions {
  /** The `tools` entry that it belongs to. */
  name: string;
  space: Space;
  /** Where the database made of the CSV files is kept. */
  folder: string;
  clock: Clock;
  vectors: () => WordVectors;
  /** Gets what was remarked when the files were read, such as missing values. */
  log?: Log | undefined;
  /** Writes SQL where no trusted question fits; without it such a question is declined. */
  model?: Model;
}

export interface OpenSpace {
  tools: Tool[];
  /** Reads the files ahead of the first question. */
  warmUp(): Promise<void>;
  close(): void;
}

/** A space in this process; its SQL runs in others. */
export function openSpace({ name, space, folder, clock, vectors, model, log }: SpaceOptions): OpenSpace {
  const runner = createSqlRunner({ space: space.file.name, folder, files: space.tables, clock });
  const desk = createSpaceDesk({ space, runner, vectors, clock, ...(model && { model }) });
  const jobs = createSpaceJobs(desk, clock);
  let isTold = false;
  return {
    tools: createSpaceTools(space.file, jobs, name),
    async warmUp() {
      const notes = (await runner.load()).flatMap((table) => table.notes.map(({ text }) => text));
      if (!isTold) for (const note of notes) log?.(note, { space: space.file.name });
      isTold = true;
    },
    close() {
      jobs.close();
      runner.close();
    },
  };
}

/** A space as one `tools` entry. The files are read when the first turn begins. */
export function createSpaceSource(options: SpaceOptions): ToolSource {
  const { tools, warmUp, close } = openSpace(options);
  let failure: string | undefined;
  return {
    name: options.name,
    async tools() {
      // Nobody waits for it here: a question waits for itself, and tells what went wrong.
      warmUp().then(
        () => (failure = undefined),
        (error: unknown) => (failure = error instanceof Error ? error.message : String(error)),
      );
      return tools;
    },
    status: () => ({
      state: failure === undefined ? 'ready' : 'degraded',
      ...(failure !== undefined && { detail: failure }),
      tools: tools.map((tool) => ({ name: tool.name, description: tool.description })),
    }),
    close: async () => close(),
  };
}
