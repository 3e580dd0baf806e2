import { extname } from 'node:path';
import type { MimeType } from '../../schema/file.ts';
import type { TextKind } from '../cut/blocks.ts';

/** How a file is read, by its extension. `convert` turns the text into Markdown. */
export interface FileType {
  mimeType: MimeType;
  kind: TextKind;
  convert?: 'html' | 'json' | 'jsonl';
}

const OFFICE = 'application/vnd.openxmlformats-officedocument';
const MARKDOWN: FileType = { mimeType: 'text/markdown', kind: 'markdown' };
const CODE: FileType = { mimeType: 'text/plain', kind: 'code' };

const TYPES: Readonly<Record<string, FileType>> = {
  ...each('md markdown mdx mdc txt text rst adoc asciidoc org tex log', MARKDOWN),
  ...each('csv tsv', { mimeType: 'text/csv', kind: 'rows' }),
  ...each('html htm xhtml', { ...MARKDOWN, convert: 'html' }),
  ...each('json', { ...MARKDOWN, convert: 'json' }),
  ...each('jsonl ndjson', { ...MARKDOWN, convert: 'jsonl' }),
  ...each('pdf', { mimeType: 'application/pdf', kind: 'markdown' }),
  ...each('docx', { mimeType: `${OFFICE}.wordprocessingml.document`, kind: 'markdown' }),
  ...each('xlsx', { mimeType: `${OFFICE}.spreadsheetml.sheet`, kind: 'markdown' }),
  ...each('pptx', { mimeType: `${OFFICE}.presentationml.presentation`, kind: 'markdown' }),
  ...each('png', { mimeType: 'image/png', kind: 'markdown' }),
  ...each('jpg jpeg', { mimeType: 'image/jpeg', kind: 'markdown' }),
  ...each('gif', { mimeType: 'image/gif', kind: 'markdown' }),
  ...each('webp', { mimeType: 'image/webp', kind: 'markdown' }),
  ...each(
    'ts tsx mts cts js jsx mjs cjs py pyi ipynb rb go rs java kt kts scala swift c h cc cpp hpp cs fs php pl lua r jl ' +
      'dart ex exs erl hs clj sh bash zsh fish ps1 bat sql graphql gql proto yaml yml toml ini cfg conf properties xml ' +
      'svelte vue astro css scss less tf gradle cmake dockerfile makefile',
    CODE,
  ),
};

function each(extensions: string, type: FileType): Record<string, FileType> {
  return Object.fromEntries(extensions.split(' ').map((extension) => [extension, type]));
}

/** The type of a file; undefined if it is none that can be read. */
export function fileTypeOf(path: string): FileType | undefined {
  const name = (path.split('/').at(-1) ?? '').toLowerCase();
  const extension = extname(name).slice(1) || name;
  return Object.hasOwn(TYPES, extension) ? TYPES[extension] : undefined;
}
