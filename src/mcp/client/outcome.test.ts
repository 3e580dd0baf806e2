import { describe, expect, it } from 'vitest';
import { toOutcome } from './outcome.ts';

const say = (text: string) => ({ type: 'text' as const, text });

describe('toOutcome', () => {
  it('prefers structured content to text', () => {
    expect(toOutcome({ content: [say('{"rows":2}')], structuredContent: { rows: 2 } })).toEqual({
      result: { rows: 2 },
    });
  });

  it('joins texts', () => {
    expect(toOutcome({ content: [say('one'), say('two')] })).toEqual({ result: 'one\ntwo' });
  });

  it('names images, sounds and resources, and reads a resource that is text', () => {
    const outcome = toOutcome({
      content: [
        { type: 'image', mimeType: 'image/png', data: 'AAAA' },
        { type: 'audio', mimeType: 'audio/wav', data: 'AAA=' },
        { type: 'resource_link', name: 'report', uri: 'file:///report.pdf' },
        { type: 'resource', resource: { uri: 'memo:1', text: 'a memo' } },
        { type: 'resource', resource: { uri: 'memo:2', blob: 'AA==' } },
      ],
    });
    expect(outcome).toEqual({
      result: [
        '[image image/png, 3 bytes: cannot be shown here]',
        '[audio audio/wav, 2 bytes: cannot be shown here]',
        '[resource report: file:///report.pdf]',
        'a memo',
        '[resource memo:2, 1 bytes: cannot be shown here]',
      ].join('\n'),
    });
  });

  it('turns an error into one that the model reads', () => {
    expect(toOutcome({ isError: true, content: [say('no such file')] })).toEqual({
      error: { error_type: 'ToolInvocationError', message: 'no such file' },
    });
  });

  it('keeps a typed error as it is', () => {
    const structuredContent = { error_type: 'TaskNotFound', message: 'There is no such task.' };
    expect(toOutcome({ isError: true, content: [], structuredContent })).toEqual({ error: structuredContent });
    const _meta = { 'holodeck.dev/error': structuredContent };
    expect(toOutcome({ isError: true, content: [say('no')], _meta })).toEqual({ error: structuredContent });
  });

  it('has words for an error without any', () => {
    expect(toOutcome({ isError: true, content: [], structuredContent: { code: 4 } })).toEqual({
      error: {
        error_type: 'ToolInvocationError',
        message: 'The tool failed without giving a reason.',
        details: { code: 4 },
      },
    });
  });
});
