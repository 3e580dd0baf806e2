import { type Command, InvalidArgumentError, Option } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };

/** Every command, its options, and the file that runs it; the file is loaded only when the command is used. */
export function addCommands(program: Command): Command {
  program
    .name('holodeck')
    .description('One YAML file declares an agent; talk to it here, over HTTP, or from your own code.')
    .version(packageJson.version)
    .exitOverride()
    .enablePositionalOptions();
  addChat(program);
  addRun(program);
  addServe(program);
  addCheck(program);
  addInit(program);
  addAudit(program);
  addMcp(program);
  return program;
}

const DATA = ['--data <folder>', 'where conversations and tasks are kept (or HOLODECK_DATA)'] as const;
const MODEL = [
  '--model <provider/name>',
  'another model than the file names, such as google/gemini-2.5-flash',
] as const;
const OBSERVABILITY = [
  '--observability',
  'traces and metrics, to the receiver that the file names or as lines',
] as const;

function addChat(program: Command): void {
  program
    .command('chat', { isDefault: true })
    .description('talk to an agent in the terminal (the todo assistant unless a file is given)')
    .argument('[agent.yaml]', 'the agent')
    .option('-m, --max-messages <count>', 'messages that the model is sent', positiveInteger)
    .option('-v, --verbose', 'show arguments and results of tools')
    .option('-q, --quiet', 'show answers only')
    .option('--resume [id]', 'go on with a conversation (the last one unless an id is given)')
    .option('--json', 'print one event a line')
    .option(...MODEL)
    .option(...OBSERVABILITY)
    .option(...DATA)
    .action(async (file, options) => (await import('./commands/chat.ts')).runChat(file, options));
}

function addRun(program: Command): void {
  program
    .command('run')
    .description('ask one question and print the answer')
    .argument('<agent.yaml>', 'the agent')
    .argument('<message>', 'what to ask')
    .option('--file <path>', 'a file that goes with the message; may be given more than once', addToList)
    .option('--json', 'print one event a line')
    .option('-v, --verbose', 'show arguments and results of tools')
    .option('-q, --quiet', 'show the answer only')
    .option(...MODEL)
    .option(...OBSERVABILITY)
    .option(...DATA)
    .action(async (file, message, options) => (await import('./commands/run.ts')).runOnce(file, message, options));
}

function addServe(program: Command): void {
  program
    .command('serve')
    .description('serve agents over HTTP')
    .argument('[agent.yaml...]', 'the agents (the todo assistant unless a file is given)')
    .option('-p, --port <port>', 'the port', port)
    .option('--host <address>', 'the address to listen on')
    .addOption(new Option('--protocol <protocol>', 'what is spoken').choices(['all', 'ag-ui', 'rest']))
    .option('--cors-origins <origins...>', 'pages of other origins that may call')
    .option('--open', 'show it in the browser')
    .option('--debug', 'log more, message texts too')
    .option(...OBSERVABILITY)
    .option(...DATA)
    .action(async (files, options) => (await import('./commands/serve.ts')).runServe(files, options));
}

function addCheck(program: Command): void {
  program
    .command('check')
    .description('check an agent file and say everything that is wrong with it')
    .argument('<agent.yaml>', 'the agent')
    .action(async (file) => (await import('./commands/check.ts')).runCheck(file));
  program
    .command('schema')
    .description('print the JSON Schema of agent.yaml, for editors')
    .action(async () => (await import('./commands/check.ts')).printSchema());
}

function addInit(program: Command): void {
  program
    .command('init')
    .description('write a small agent with a function and a tool server, ready to run')
    .argument('[folder]', 'where (here unless given)')
    .option('--name <name>', 'what the agent is called')
    .option('-i, --interactive', 'ask for name and model')
    .action(async (folder, options) => (await import('./commands/init.ts')).runInit(folder, options));
}

function addAudit(program: Command): void {
  program
    .command('audit')
    .description('show every tool call, override, approval and denial, newest first')
    .argument('[agent.yaml]', 'the agent whose data folder to read (the shipped one unless given)')
    .option('-n, --limit <count>', 'how many records', positiveInteger)
    .option('--json', 'print one record a line')
    .option(...DATA)
    .action(async (file, options) => (await import('./commands/audit.ts')).runAudit(file, options));
}

function addMcp(program: Command): void {
  const mcp = program.command('mcp').description('serve tools of ours to other programs');
  mcp
    .command('tasks')
    .description('the task tools, over stdin and stdout or over HTTP')
    .option('--user <local or uuid>', 'the user of every call; without it each call has to name one in user_id')
    .option('--http <port>', 'serve over HTTP on this machine', port)
    .option(...DATA)
    .action(async (options) => (await import('./commands/mcp.ts')).runMcpTasks(options));
  mcp
    .command('space')
    .description('the tools of one data space, over stdin and stdout or over HTTP')
    .argument('<space.yaml>', 'the space')
    .option('--http <port>', 'serve over HTTP on this machine', port)
    .option(...DATA)
    .action(async (file, options) => (await import('./commands/mcp.ts')).runMcpSpace(file, options));
}

function addToList(value: string, list: readonly string[] = []): string[] {
  return [...list, value];
}

function positiveInteger(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError('must be a whole number from 1');
  return value;
}

function port(text: string): number {
  const value = positiveInteger(text);
  if (value > 65_535) throw new InvalidArgumentError('must be from 1 to 65535');
  return value;
}
