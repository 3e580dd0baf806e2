import { readFileSync, writeFileSync } from 'node:fs';
import { type Document, isMap, isSeq, parseDocument } from 'yaml';
import { AppError } from '../../errors.ts';
import type { JsonObject } from '../../schema/json.ts';

const LAYOUT = { lineWidth: 140, flowCollectionPadding: true } as const;

/** Adds a case at the end of a YAML file: of its list, or of its `test_cases`. Comments and other keys stay. */
export function addCase(path: string, testCase: JsonObject): void {
  const document: Document = parseDocument(readFileSync(path, 'utf8'));
  if (document.errors.length > 0) throw new AppError('cases_invalid', { detail: `${path} is not valid YAML.` });
  const node = document.createNode(testCase);
  if (isSeq(document.contents)) document.contents.add(node);
  else if (isMap(document.contents) && isSeq(document.contents.get('test_cases'))) document.addIn(['test_cases'], node);
  else document.set('test_cases', [node]);
  writeFileSync(path, document.toString(LAYOUT));
}
