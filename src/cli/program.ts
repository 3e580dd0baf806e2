import { type Command, InvalidArgumentError, Option } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import { commandText } from './called-as.ts';
import { addDb, addKnowledge, addSpace, DATA, positiveInteger } from './data-commands.ts';

/** Every command with its options; the file that runs a command is loaded only when it is used. */
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
  addDoctor(program);
  addTest(program);
  addInit(program);
  addUse(program);
  addAudit(program);
  addExport(program);
  addMcp(program);
  addSpace(program);
  addKnowledge(program);
  addDb(program);
  addUsage(program, commandText([]));
  return program;
}

/** An error of the arguments shows how the command is written. */
function addUsage(command: Command, name: string): void {
  command.showHelpAfterError(`Usage: ${name} ${command.usage()}`);
  for (const child of command.commands) addUsage(child, `${name} ${child.name()}`);
}

const USER = ['--user <id>', 'the user to act for on a shared database, in place of the local account'] as const;
const MODEL = [
  '--model <provider/name>',
  'use this model instead of the one in the file, such as google/gemini-2.5-flash',
] as const;
const OBSERVABILITY = [
  '--observability',
  'send traces and metrics to the collector in the file, or print them as lines',
] as const;

function addChat(program: Command): void {
  program
    .command('chat', { isDefault: true })
    .description('talk to an agent in the terminal (default: the todo assistant)')
    .argument('[agent.yaml]', 'the agent')
    .option('-m, --max-messages <count>', 'how many messages to send to the model', positiveInteger)
    .option('-v, --verbose', 'show arguments and results of tools')
    .option('-q, --quiet', 'show answers only')
    .option('--resume [id]', 'continue a conversation (default: the last one)')
    .option('--json', 'print one JSON event per line')
    .option(...MODEL)
    .option(...OBSERVABILITY)
    .option(...USER)
    .option(...DATA)
    .action(async (file, options) => (await import('./commands/chat.ts')).runChat(file, options));
}

function addRun(program: Command): void {
  program
    .command('run')
    .description('ask one question and print the answer')
    .argument('<agent.yaml>', 'the agent')
    .argument('<message>', 'what to ask')
    .option('--file <path>', 'a file to send with the message; may be repeated', addToList)
    .option('--resume [id]', 'continue a conversation (default: the last one)')
    .option('--json', 'print one JSON event per line')
    .option('-v, --verbose', 'show arguments and results of tools')
    .option('-q, --quiet', 'show the answer only')
    .option(...MODEL)
    .option(...OBSERVABILITY)
    .option(...USER)
    .option(...DATA)
    .action(async (file, message, options) => (await import('./commands/run.ts')).runOnce(file, message, options));
}

function addServe(program: Command): void {
  program
    .command('serve')
    .description('serve agents over HTTP')
    .argument('[agent.yaml...]', 'the agents (default: the todo assistant)')
    .option('-p, --port <port>', 'the port', port)
    .option('--host <address>', 'the address to listen on')
    .addOption(new Option('--protocol <protocol>', 'the protocols to serve').choices(['all', 'ag-ui', 'rest']))
    .option('--cors-origins <origins...>', 'origins of web pages that may call the server')
    .option('--open', 'open it in the browser')
    .option('--debug', 'log more, including message texts')
    .option(...OBSERVABILITY)
    .option(...USER)
    .option(...DATA)
    .action(async (files, options) => (await import('./commands/serve.ts')).runServe(files, options));
}

function addCheck(program: Command): void {
  program
    .command('check')
    .description('check an agent file and list all of its faults; runs nothing of it')
    .argument('<agent.yaml>', 'the agent')
    .option('--start', 'also start its tool servers and check the names of their tools')
    .action(async (file, options) => (await import('./commands/check.ts')).runCheck(file, options));
  program
    .command('schema')
    .description('print the JSON Schema of agent.yaml, for editors')
    .action(async () => (await import('./commands/check.ts')).printSchema());
}

function addDoctor(program: Command): void {
  program
    .command('doctor')
    .description('check this machine and an agent, and name the remedy of each fault; changes nothing')
    .argument('[agent.yaml]', 'the agent (default: the todo assistant)')
    .option('--json', 'print the findings as JSON')
    .option(...DATA)
    .action(async (file, options) => (await import('./commands/doctor.ts')).runDoctor(file, options));
}

function addTest(program: Command): void {
  const test = program
    .command('test')
    .description("run an agent's test cases")
    .argument('[agent.yaml]', 'the agent (default: the todo assistant)')
    .option('--filter <text>', 'only cases with this text in their name')
    .option('--repeat <times>', 'run every case this often and show the share of passes', positiveInteger)
    .option('--parallel <count>', 'cases that run at the same time (default: 2)', positiveInteger)
    .option('--watch', 'run again after every change')
    .option('--json', 'print the report as JSON')
    .option('--junit [file]', 'write the report as JUnit XML, to a file or to the output')
    .option('--compare <run>', 'compare with this run instead of the last one')
    .addOption(new Option('--export <format>', 'print the cases in the format of another tool').choices(['promptfoo']))
    .option('--attack', 'run the shipped attacks on the agent instead of its cases')
    .option('--record [folder]', 'keep every model reply and tool result (default: cassettes/ beside the agent)')
    .option('--replay [folder]', 'repeat the recorded cases without models, tools and network')
    .option(...MODEL)
    .option(...DATA)
    .action(async (file, options) => (await import('./commands/test.ts')).runTest(file, options));
  test
    .command('add')
    .description('write a stored conversation of yours as a test case, without personal data')
    .argument('<conversation>', 'its id, as /sessions and the web page show it')
    .argument('[agent.yaml]', 'the agent (default: the todo assistant)')
    .option('--name <name>', 'the name of the case (default: the title of the conversation)')
    .option('--rules <file>', 'your own rules of redaction (default: redact.yaml beside the agent)')
    .option(...DATA)
    .action(async (id, file, options) => (await import('./commands/test-add.ts')).runTestAdd(id, file, options));
}

function addInit(program: Command): void {
  program
    .command('init')
    .description('write a small agent with a function and a tool server, ready to run')
    .argument('[folder]', 'the folder (default: the current one)')
    .option('--name <name>', 'the name of the agent')
    .option('-i, --interactive', 'ask for name and model')
    .action(async (folder, options) => (await import('./commands/init.ts')).runInit(folder, options));
}

function addUse(program: Command): void {
  program
    .command('use')
    .description('choose the model of agents whose file names none; lists local models without an argument')
    .argument('[provider/model]', 'the model, such as ollama/qwen3, or builtin')
    .action(async (model) => (await import('./commands/use.ts')).runUse(model));
}

function addAudit(program: Command): void {
  program
    .command('audit')
    .description('show every tool call, override, approval and denial, newest first')
    .argument('[agent.yaml]', 'the agent whose data folder to read (default: the todo assistant)')
    .option('-n, --limit <count>', 'how many records', positiveInteger)
    .option('--json', 'print one JSON record per line')
    .option(...USER)
    .option(...DATA)
    .action(async (file, options) => (await import('./commands/export.ts')).runAudit(file, options));
}

function addExport(program: Command): void {
  program
    .command('export')
    .description('write a conversation of yours as Markdown or JSON')
    .argument('<conversation>', 'its id, as /sessions and the web page show it')
    .argument('[agent.yaml]', 'the agent whose data folder to read (default: the todo assistant)')
    .option('--json', 'JSON instead of Markdown')
    .option(...USER)
    .option(...DATA)
    .action(async (id, file, options) => (await import('./commands/export.ts')).runExport(id, file, options));
}

function addMcp(program: Command): void {
  const mcp = program
    .command('mcp')
    .description('serve an agent, or the built-in tools, to other programs (MCP), and log in to MCP servers');
  mcp
    .command('agent')
    .description('the agent itself as a tool, over stdin and stdout; `serve` has it at /mcp')
    .argument('<agent.yaml>', 'the agent')
    .option(...MODEL)
    .option(...USER)
    .option(...DATA)
    .action(async (file, options) => (await import('./commands/mcp.ts')).runMcpAgent(file, options));
  mcp
    .command('tasks')
    .description('the task tools, over stdin and stdout or over HTTP')
    .option('--user <local or uuid>', 'the user of every call; without it each call must name one in user_id')
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
  addLogins(mcp);
}

function addLogins(mcp: Command): void {
  const load = () => import('./commands/mcp-login.ts');
  const add = (name: string, text: string) =>
    mcp
      .command(name)
      .description(text)
      .argument('<name>', 'the name of its entry under tools')
      .argument('<agent.yaml>', 'the agent')
      .option(...USER)
      .option(...DATA);
  add('login', 'log in to an MCP server with auth: oauth')
    .option('--open', 'open the address in the browser')
    .action(async (name, file, options) => (await load()).runMcpLogin(name, file, options));
  add('logout', 'log out of an MCP server, and revoke its tokens').action(async (name, file, options) =>
    (await load()).runMcpLogout(name, file, options),
  );
}

function addToList(value: string, list: readonly string[] = []): string[] {
  return [...list, value];
}

function port(text: string): number {
  const value = positiveInteger(text);
  if (value > 65_535) throw new InvalidArgumentError('must be from 1 to 65535');
  return value;
}
