import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import type { Clock } from '../clock.ts';
import type { SpaceAnswerer } from '../space/space-answerer.ts';
import type { ComposedSpace } from '../space/space-composer.ts';
import type { OpenedSource } from '../tools/tool.ts';
import { defineKind, type OpenOptions } from './kind.ts';
import { checkLists, serverKeys, withEntry } from './server-entry.ts';

const Entry = z.strictObject({
  ...serverKeys,
  transport: z.literal('builtin'),
  server: z.literal('space'),
  file: z.string('server space needs the file of its space'),
});
type Entry = z.infer<typeof Entry>;

/** Questions over CSV files. */
export const spaceKind = defineKind(Entry, {
  texts: { server: '`space` answers questions over CSV files' },
  brings: 'data',
  check: checkLists,
  async names({ file }, { folder }) {
    const [{ loadSpace }, { createSpaceTools }] = await Promise.all([
      import('../space/load/load-space.ts'),
      import('../space/space-tools.ts'),
    ]);
    const space = (await loadSpace(file, { root: folder })).file;
    return createSpaceTools(space, {} as SpaceAnswerer, '').map(({ name }) => name); // only names are read: nothing is asked
  },
  async inspect(entries, { folder }, { clock }) {
    const problems: string[] = [];
    const warnings: string[] = [];
    for (const { name, file } of entries) {
      try {
        const notes = await inspectSpace(file, { root: folder, clock });
        warnings.push(...notes.map((text) => `tools.${name}: ${text}`));
      } catch (error) {
        problems.push(`tools.${name}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    return { problems, warnings, findings: [] };
  },
  open: (entries, options) => entries.map((entry) => openSpace(entry, options)),
});

/** Loads a space into a temporary database. Returns notes on its files; throws its faults. */
async function inspectSpace(path: string, { root, clock }: { root: string; clock: Clock }): Promise<string[]> {
  const [{ loadSpace }, { createSqlRunner }] = await Promise.all([
    import('../space/load/load-space.ts'),
    import('../space/sql/sql-runner.ts'),
  ]);
  const space = await loadSpace(path, { root });
  const folder = await mkdtemp(join(tmpdir(), 'holodeck-check-'));
  const runner = createSqlRunner({ space: space.file.name, folder, files: space.tables, prove: space.prove, clock });
  try {
    return (await runner.load()).flatMap(({ notes }) => notes.map(({ text }) => text));
  } finally {
    runner.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function openSpace(entry: Entry, options: OpenOptions): Promise<OpenedSource> {
  const { name, file, prefix = '' } = entry;
  const { agent, folder, clock, vectors, log, onSpace } = options;
  const [{ loadSpace }, { createSpaceSource }] = await Promise.all([
    import('../space/load/load-space.ts'),
    import('../space/space-source.ts'),
  ]);
  const space = await loadSpace(file, { root: agent.folder });
  const onOpen = (views: ComposedSpace['views']) => {
    const id = space.file.name;
    onSpace?.({
      order: agent.tools.findIndex((tool) => tool.name === name),
      file: space.file,
      tool: `${prefix}run_query_${id}`,
      asks: `${prefix}query_space_${id}`,
      views,
    });
  };
  const tables = join(folder, 'spaces');
  const source = createSpaceSource({ name, space, folder: tables, clock, vectors, log, onOpen });
  return { source: withEntry(source, entry) };
}
