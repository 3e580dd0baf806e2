import { basename } from 'node:path';

export interface Started {
  file: string | undefined;
  data: string | undefined;
  model: string | undefined;
  /** How this program was called: its path, and npm's word for the script that called it. */
  program: string | undefined;
  script: string | undefined;
}

/** The words that start a chat like this one; the id goes behind them. */
export function resumeCommand({ file, data, model, program = '', script }: Started): string {
  const parts = [
    ...programParts(program, script),
    'chat',
    ...(file ? [file] : []),
    ...(model ? ['--model', model] : []),
    ...(data ? ['--data', data] : []),
    '--resume',
  ];
  return parts.map(quote).join(' ');
}

/** As it was called here: the name alone works only where it is installed. */
function programParts(program: string, script: string | undefined): string[] {
  if (script === 'start') return ['npm', 'start', '--'];
  return /\.[cm]?[jt]s$/.test(basename(program)) ? ['node', program] : ['holodeck'];
}

/** As a shell would want it. */
function quote(part: string): string {
  return /^[\w@%+=:,./-]+$/.test(part) ? part : `'${part.replaceAll("'", "'\\''")}'`;
}
