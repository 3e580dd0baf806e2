import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseDocument } from 'yaml';
import { OF_PROVIDER, userConfigPath } from '../../config/layers.ts';
import { AppError } from '../../errors.ts';
import { makePrivateFolder } from '../../private-folder.ts';
import { findLocalServers, PATIENT } from '../../runtime/local-servers.ts';
import { keyVariables } from '../../schema/provider.ts';
import { commandText } from '../called-as.ts';
import { describeFound, describeModels, endpointOf, findDoubts, listModels, USUAL } from '../local-models.ts';
import { type NamedModel, readModel } from '../model-flag.ts';
import { print } from '../print.ts';

/** `holodeck use`: writes the model into the user's own settings, or lists the models of this machine. */
export async function runUse(text: string | undefined): Promise<void> {
  if (text === undefined) return print(await listText());
  const path = userConfigPath(process.env);
  if (!path) throw new AppError('usage', { detail: 'There is no home folder to write to. Set XDG_CONFIG_HOME.' });
  const servers = await findLocalServers(PATIENT);
  const model = readModel(text, listModels(servers));
  writeModel(path, { ...model, ...endpointOf(model, servers) });
  const doubts = findDoubts(model, USUAL, servers);
  const missing = keyVariables(model).every((name) => !process.env[name]) && keyVariables(model)[0];
  print(
    [
      `Agents whose file names no model now use ${text} (written to ${path}).`,
      ...(missing ? [`It needs a key: set ${missing}.`] : []),
      ...doubts.map(({ text: doubt, remedy }) => `${doubt}. ${remedy}`),
      ...(model.provider === 'builtin' || doubts.length > 0
        ? []
        : [`Back to the built-in model: ${commandText(['use', 'builtin'])}`]),
    ].join('\n'),
  );
}

async function listText(): Promise<string> {
  const servers = await findLocalServers(PATIENT);
  const found = listModels(servers);
  const other = `Name a model: ${commandText(['use', 'google/gemini-2.5-flash'])}`;
  if (found.length === 0) return `${describeFound(servers, USUAL) ?? 'No model server runs on this machine.'} ${other}`;
  const settings = parseDocument(readOld(userConfigPath(process.env) ?? ''));
  const model = ['provider', 'name'].map((key) => settings.getIn(['model', key]));
  return describeModels(found, model)
    .map((line) => `${commandText(['use'])} ${line}`)
    .join('\n');
}

/** Keeps the comments and the other settings of the file; settings of another provider are removed. */
function writeModel(path: string, model: NamedModel & { endpoint?: string }): void {
  const document = parseDocument(readOld(path));
  if (document.errors.length > 0)
    throw new AppError('config_invalid', {
      detail: `${path} is not readable YAML. Correct it, then repeat the command.`,
    });
  for (const key of OF_PROVIDER) if (document.hasIn(['model', key])) document.deleteIn(['model', key]);
  for (const [key, value] of Object.entries(model)) document.setIn(['model', key], value);
  try {
    makePrivateFolder(dirname(path));
    writeFileSync(`${path}.new`, document.toString(), { mode: 0o600 });
    renameSync(`${path}.new`, path);
  } catch (error) {
    throw new AppError('usage', {
      detail: `${path} cannot be written. Check the rights of its folder, or set XDG_CONFIG_HOME to a folder of yours.`,
      cause: error,
    });
  }
}

function readOld(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
