/** The texts of the panels that are loaded when somebody opens them. */
export const PANEL_STRINGS = {
  trace: {
    empty: 'Nothing was asked yet.',
    total: 'Total time',
    active: 'Working time',
    tokens: 'Tokens',
    attempts: 'Attempts',
    inAndOut: (read: number, written: number) =>
      `${read.toLocaleString('en-US')} in, ${written.toLocaleString('en-US')} out`,
    step: (iteration: number) => `Model, step ${iteration}`,
    waiting: 'Waited for a decision',
    interrupted: 'Interrupted',
    open: 'not ended',
    waterfall: 'Steps and calls in order of time',
    choose: 'Select a step or a call to see what was sent.',
    tools: (names: string) => `Tools offered: ${names}`,
    cut: 'The prompt is longer than is shown.',
    noPrompt: 'Prompts are shown to developers only.',
    state: (state: string) => `State: ${state}`,
  },
  tasks: {
    empty: 'There are no tasks yet.',
    open: 'Open',
    done: 'Done',
    remove: (title: string) => `Delete ${title}`,
  },
  ways: {
    same: 'This conversation is not tied to the page. Continue it from anywhere:',
    first: 'After the first message, these continue the conversation. Now they begin one:',
    send: 'Send a message with curl',
    follow: 'Follow it live with curl',
    agui: 'AG-UI client',
    terminal: 'Terminal, with the same agent file',
  },
} as const;
