import { AppError } from '../../errors.ts';
import { type AttachedFile, fileFromPath } from '../../runtime/files/attached-file.ts';
import type { FileInput } from '../../schema/tests/test-case.ts';
import { resolveFile } from '../../yaml/resolve-file.ts';

const UNSUPPORTED = ['url', 'pages', 'sheet', 'range'] as const;

/** The files of a turn, which must be inside the agent's folder. */
export async function openCaseFiles(files: readonly FileInput[], folder: string): Promise<AttachedFile[]> {
  return Promise.all(
    files.map(async (file) => {
      const unsupported = UNSUPPORTED.find((key) => file[key] !== undefined);
      if (unsupported) throw invalid(`files: ${unsupported} is not supported; save the part as a file of its own`);
      const found = await resolveFile(folder, file.path ?? '');
      if ('problem' in found) throw invalid(`files: ${file.path}: ${found.problem}`);
      return fileFromPath(found.path);
    }),
  );
}

function invalid(detail: string): AppError {
  return new AppError('cases_invalid', { detail });
}
