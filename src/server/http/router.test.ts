import { describe, expect, it } from 'vitest';
import { createRouter } from './router.ts';

function find(method: string, path: string): unknown {
  const router = createRouter<string>();
  router.add('GET', '/', 'root');
  router.add('GET', '/sessions', 'list');
  router.add('GET', '/sessions/:id', 'one');
  router.add('DELETE', '/sessions/:id', 'delete');
  router.add('POST', '/agent/:name/chat', 'chat');
  const found = router.find(method, path);
  return found && [found.target, found.params];
}

describe('createRouter', () => {
  it.each([
    ['GET', '/', ['root', {}]],
    ['GET', '/sessions', ['list', {}]],
    ['GET', '/sessions/', ['list', {}]],
    ['GET', '/sessions/1', ['one', { id: '1' }]],
    ['DELETE', '/sessions/1/', ['delete', { id: '1' }]],
    ['POST', '/agent/a%20b/chat', ['chat', { name: 'a b' }]],
    ['POST', '/agent/__proto__/chat', ['chat', { name: '__proto__' }]],
    ['GET', '/%73essions', ['list', {}]],
  ])('finds %s %s', (method, path, expected) => {
    expect(find(method, path)).toEqual(expected);
  });

  it.each([
    ['POST', '/sessions'],
    ['GET', '//sessions'],
    ['GET', '/sessions//'],
    ['GET', '/sessions/1/2'],
    ['GET', '/sessions/%E0%A4%A'],
    ['GET', `/sessions/${'x'.repeat(201)}`],
    ['POST', '/agent//chat'],
    ['GET', 'http://elsewhere/sessions'],
    ['GET', '*'],
    ['GET', ''],
  ])('finds nothing for %s %s', (method, path) => {
    expect(find(method, path)).toBeUndefined();
  });
});
