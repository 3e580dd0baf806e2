import { type Command, InvalidArgumentError } from 'commander';

/** Commands that work on data: tables, documents and the database. */

export const DATA = ['--data <folder>', 'data folder for conversations and tasks (or HOLODECK_DATA)'] as const;

export function addSpace(program: Command): void {
  const space = program.command('space').description('make and check a model of your own data (CSV files)');
  const add = (name: string, text: string) => space.command(name).description(text);
  add('check', 'prove keys, joins, measures and questions of a space file, and list words with several meanings')
    .argument('<space.yaml>', 'the space')
    .action(async (file) => (await import('./commands/space.ts')).runSpaceCheck(file));
  add('init', 'draft space.yaml and agent.yaml from CSV files, ready to be asked')
    .argument('<data.csv...>', 'the files')
    .option('--dir <folder>', 'the folder to write to (default: the folder of the first file)')
    .option('--name <name>', 'the name of the space')
    .action(async (files, options) => (await import('./commands/space.ts')).runSpaceInit(files, options));
  add('import', 'write space.yaml and agent.yaml from a Snowflake semantic view or an Open Semantic Interchange file')
    .argument('<model.yaml>', 'the file')
    .option(
      '--dir <folder>',
      'the folder with a CSV file for each table, to write to (default: the folder of the file)',
    )
    .action(async (file, options) => (await import('./commands/space-import.ts')).runSpaceImport(file, options));
}

export function addKnowledge(program: Command): void {
  const knowledge = program.command('knowledge').description('read and search the documents of an agent');
  const load = () => import('./commands/knowledge.ts');
  const finish = (command: Command) =>
    command
      .argument('<agent.yaml>', 'the agent')
      .option('--name <name>', 'only this entry of knowledge')
      .option(...DATA);
  finish(knowledge.command('build').description('read new and changed documents')).action(async (file, options) =>
    (await load()).runBuild(file, options),
  );
  finish(knowledge.command('status').description('list the documents, and what could not be read'))
    .option('--json', 'print JSON')
    .action(async (file, options) => (await load()).showKnowledge(file, options));
  finish(
    knowledge.command('search').description('show the passages for a question').argument('<question>', 'the words'),
  )
    .option('-n, --limit <count>', 'how many passages', positiveInteger)
    .option('--json', 'print JSON')
    .action(async (query, file, options) => (await load()).searchKnowledge(query, file, options));
}

export function addDb(program: Command): void {
  const db = program
    .command('db')
    .description('work on the database of an agent: SQLite in the data folder, or PostgreSQL');
  const add = (name: string, text: string, argument?: readonly [string, string]) => {
    const command = db.command(name).description(text);
    if (argument) command.argument(...argument);
    return command
      .argument('[agent.yaml]', 'the agent whose database to use (default, except for erase-user: the todo assistant)')
      .option(...DATA);
  };
  const load = () => import('./commands/db.ts');
  add('migrate', 'bring the tables to the newest version').action(async (file, options) =>
    (await load()).migrateDatabase(file, options),
  );
  add('status', 'show what is stored where').action(async (file, options) => (await load()).showStatus(file, options));
  const target = ['<folder>', 'a new folder for the copy'] as const;
  add('backup', 'write a copy of everything, while servers run', target).action(async (folder, file, options) =>
    (await load()).backUp(folder, file, options),
  );
  const source = ['<folder>', 'the folder of a copy'] as const;
  add('restore', 'bring back a copy; SQLite keeps the previous database aside', source).action(
    async (folder, file, options) => (await load()).restoreFrom(folder, file, options),
  );
  add('erase-user', 'remove everything of one user, tasks included', ['<uuid>', 'the user']).action(
    async (id, file, options) => (await load()).eraseUser(id, file, options),
  );
}

export function positiveInteger(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError('must be a whole number of at least 1');
  return value;
}
