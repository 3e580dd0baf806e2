import type { Clock } from '../clock.ts';
import type { WordVectors } from '../language/word-vectors.ts';
import type { Log } from '../log.ts';
import type { Tool, ToolSource } from '../tools/tool.ts';
import type { Space } from './load/load-space.ts';
import { createSpaceAnswerer } from './space-answerer.ts';
import { createSpaceTools } from './space-tools.ts';
import { createSpaceViews, type SpaceViews } from './space-view.ts';
import { createSqlRunner } from './sql/sql-runner.ts';

export interface SpaceOptions {
  /** The `tools` entry of the space. */
  name: string;
  space: Space;
  /** The folder of the database made from the CSV files. */
  folder: string;
  clock: Clock;
  vectors: () => WordVectors;
  /** Receives notes about the files, such as missing values. */
  log?: Log | undefined;
  /** Receives the model of the space, for reading questions over several spaces. */
  onOpen?: ((views: SpaceViews) => void) | undefined;
}

export interface OpenSpace {
  tools: Tool[];
  views: SpaceViews;
  /** Reads the files before the first question. */
  warmUp(): Promise<void>;
  close(): void;
}

/** A space in this process. Its SQL runs in other processes. */
export function openSpace({ name, space, folder, clock, vectors, log }: SpaceOptions): OpenSpace {
  const runner = createSqlRunner({ space: space.file.name, folder, files: space.tables, prove: space.prove, clock });
  const views = createSpaceViews(space, runner, clock);
  const answerer = createSpaceAnswerer({ space, runner, views, vectors, clock });
  let isTold = false;
  return {
    tools: createSpaceTools(space.file, answerer, name),
    views,
    async warmUp() {
      const notes = (await runner.load()).flatMap((table) => table.notes.map(({ text }) => text));
      if (!isTold) for (const note of notes) log?.(note, { space: space.file.name });
      isTold = true;
    },
    close: () => runner.close(),
  };
}

/** A space as a `tools` entry. The files are read when the first turn begins. */
export function createSpaceSource(options: SpaceOptions): ToolSource {
  const { tools, views, warmUp, close } = openSpace(options);
  options.onOpen?.(views);
  let failure: string | undefined;
  return {
    name: options.name,
    async tools() {
      // Not awaited here: a question waits for the files itself and reports what went wrong.
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
