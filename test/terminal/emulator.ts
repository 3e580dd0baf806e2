import headless from '@xterm/headless';

/** A terminal without a window: it shows what a person would see after these bytes. */
export interface Emulator {
  write(text: string): void;
  resize(columns: number, rows: number): void;
  /** All text, including lines that have scrolled out. Lines that the terminal wrapped are joined. */
  text(): Promise<string>;
  lines(): Promise<string[]>;
}

/** `breaksCursorRow`: when the window gets narrower, the row of the cursor is wrapped too. */
export function createEmulator(columns = 80, rows = 24, breaksCursorRow = false): Emulator {
  const terminal = new headless.Terminal({
    cols: columns,
    rows,
    scrollback: 10_000,
    reflowCursorLine: breaksCursorRow,
    allowProposedApi: true,
    convertEol: true,
  });
  const settled = () => new Promise<void>((resolve) => terminal.write('', resolve));
  const lines = async () => {
    await settled();
    const { active } = terminal.buffer;
    const all: string[] = [];
    for (let index = 0; index < active.length; index++) {
      const line = active.getLine(index);
      const isBroken = active.getLine(index + 1)?.isWrapped ?? false;
      const text = line?.translateToString(!isBroken) ?? '';
      if (line?.isWrapped) all.push(`${all.pop()}${text}`);
      else all.push(text);
    }
    return all.slice(0, all.findLastIndex((line) => line !== '') + 1);
  };
  return {
    write: (text) => terminal.write(text),
    resize: (newColumns, newRows) => terminal.resize(newColumns, newRows),
    lines,
    text: async () => (await lines()).join('\n'),
  };
}
