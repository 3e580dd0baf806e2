/**
 * Pages whose commands run. A fence with a file name after its language (```yaml agent.yaml) is a file of the reader. A
 * `console` fence holds commands (`$ …`) with the output that follows them; `console server` is a command that keeps running.
 * `console terminal NAME` is a session in a terminal, see terminal-session.ts. In an output, … stands for any text of a line, and a line that is … alone stands for any lines.
 */
export type Step =
  | { kind: 'file'; name: string; text: string }
  | { kind: 'command'; command: string; expected: string; isServer: boolean };

const FENCE = /^```(\w+) ?(.*)\n([\s\S]*?)^```$/gm;

/** The steps of a page, in their order. */
export function stepsOf(markdown: string): Step[] {
  return [...markdown.matchAll(FENCE)].flatMap(([, language = '', info = '', text = '']): Step[] => {
    if (info.startsWith('terminal ')) return [];
    if (language === 'console') return commandsOf(text, info === 'server');
    return info === '' ? [] : [{ kind: 'file', name: info, text }];
  });
}

function commandsOf(text: string, isServer: boolean): Step[] {
  const commands = text.split(/^\$ /m).slice(1);
  return commands.map((part) => {
    const [, command = '', expected = ''] = /^((?:.*\\\n)*.*)\n([\s\S]*)$/.exec(part) ?? [];
    return { kind: 'command', command, expected: expected.trimEnd(), isServer };
  });
}

/** The page with the outputs that the commands really had; an output that already matches stays as it is written. */
export function withOutputs(markdown: string, outputs: readonly string[]): string {
  const rest = [...outputs];
  return markdown.replaceAll(FENCE, (fence: string, language: string, info: string, text: string) => {
    if (language !== 'console' || info.startsWith('terminal ')) return fence;
    const shown = commandsOf(text, false).map((step) => {
      if (step.kind !== 'command') return '';
      const output = rest.shift() ?? '';
      const kept = isMatch(step.expected, output) ? step.expected : output.trimEnd();
      return `$ ${step.command}\n${kept === '' ? '' : `${kept}\n`}`;
    });
    return `\`\`\`console${info ? ` ${info}` : ''}\n${shown.join('')}\`\`\``;
  });
}

/** The terminal sessions of a page by name: the fence as it is written. */
export function sessionsOf(markdown: string): { name: string; shown: string }[] {
  return [...markdown.matchAll(FENCE)].flatMap(([, , info = '', text = '']) =>
    info.startsWith('terminal ') ? [{ name: info.slice('terminal '.length), shown: text.trimEnd() }] : [],
  );
}

/** The page with new screens for its terminal sessions. */
export function withScreens(markdown: string, screens: Readonly<Record<string, string>>): string {
  return markdown.replaceAll(FENCE, (fence: string, language: string, info: string) => {
    const screen = info.startsWith('terminal ') ? screens[info.slice('terminal '.length)] : undefined;
    return screen === undefined ? fence : `\`\`\`${language} ${info}\n${screen.trimEnd()}\n\`\`\``;
  });
}

/** True if an output matches the one that a page shows. */
export function isMatch(expected: string, output: string): boolean {
  const pattern = expected
    .split('\n')
    .map((line) => (line === '…' ? '(?:.*\\n)*?.*' : line.split('…').map(escapePattern).join('.*')))
    .join('\\n');
  return new RegExp(`^${pattern}$`).test(trimmed(output));
}

function trimmed(output: string): string {
  return output
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trimEnd();
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
