import { Command, Help } from 'commander';
import { COMMANDS } from '../../src/cli/chat/commands.ts';
import { addCommands } from '../../src/cli/program.ts';
import { table } from './schema-text.ts';

/** docs/reference/commands.md: every command with its arguments and options, from the program's own help. */
export function commandsPage(): string {
  const program = addCommands(new Command());
  // A group has no arguments of its own.
  const isGroup = (command: Command) => command.commands.length > 0 && command.registeredArguments.length === 0;
  const commands = program.commands.flatMap((command) => [...(isGroup(command) ? [] : [command]), ...command.commands]);
  return [HEAD, ...commands.map(commandText), chatText(), EXIT_CODES].join('\n');
}

function commandText(command: Command): string {
  const help = new Help();
  const title = titleOf(command);
  const args = help
    .visibleArguments(command)
    .map((argument) => [`\`${help.argumentTerm(argument)}\``, help.argumentDescription(argument)]);
  const options = help
    .visibleOptions(command)
    .filter((option) => option.long !== '--help')
    .map((option) => [`\`${help.optionTerm(option)}\``, help.optionDescription(option)]);
  const usage = `\`\`\`\n${help.commandUsage(command).trim()}\n\`\`\``;
  const rows = [...args, ...options];
  const parts = [`## ${title}`, sentence(help.commandDescription(command)), usage];
  return `${[...parts, ...(rows.length > 0 ? [table(['argument or option', 'description'], rows)] : [])].join('\n\n')}\n`;
}

function titleOf(command: Command): string {
  const parent = command.parent?.name() === 'holodeck' ? '' : `${command.parent?.name()} `;
  return `holodeck ${parent}${command.name()}`;
}

function chatText(): string {
  const rows = Object.entries(COMMANDS).map(([name, { takes, help }]) => [
    `\`${takes ? `${name} ${takes}` : name}\``,
    help,
  ]);
  return `## Commands inside a chat\n\n${table(['command', 'description'], rows)}\n`;
}

function sentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}

const HEAD = `# Commands

This page is made from the program's own help (\`npm run docs:write\`). In a checkout, run \`npx holodeck\`. \`holodeck\`
without a command is \`holodeck chat\` with the sample todo agent.

The data of your agent is in \`.holodeck/\` next to its YAML file. The agents of the package keep theirs in
\`~/.local/share/holodeck\`. \`--data\` or \`HOLODECK_DATA\` names another folder.
`;

const EXIT_CODES = `## Exit codes

| code | meaning |
|---|---|
| 0 | success |
| 1 | the agent file or the command line has a mistake |
| 2 | the program could not start: model, tools, store or port |
| 3 | a turn of \`run\` ended with an error, or a message of \`chat\` over a pipe |
| 130 | interrupted by Ctrl+C |

\`test\` and \`doctor\` have their own codes: [test](../guides/testing.md#runs), [doctor](../guides/troubleshooting.md).
`;
