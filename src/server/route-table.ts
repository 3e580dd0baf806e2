/** Every path with its methods: for 405, and for the tests that call each of them as somebody else. */
export const ROUTES: readonly { method: 'GET' | 'POST' | 'DELETE'; path: string }[] = [
  { method: 'POST', path: '/agent/{name}/chat' },
  { method: 'POST', path: '/agent/{name}/chat/stream' },
  { method: 'POST', path: '/awp' },
  { method: 'GET', path: '/awp/capabilities' },
  { method: 'POST', path: '/agent/{name}/awp' },
  { method: 'GET', path: '/agent/{name}/awp/capabilities' },
  { method: 'GET', path: '/agent/{name}/domains' },
  { method: 'GET', path: '/agent/{name}/tools' },
  { method: 'GET', path: '/sessions' },
  { method: 'GET', path: '/sessions/{id}' },
  { method: 'DELETE', path: '/sessions/{id}' },
  { method: 'GET', path: '/sessions/{id}/events' },
  { method: 'POST', path: '/sessions/{id}/cancel' },
  { method: 'POST', path: '/sessions/{id}/resume' },
  { method: 'GET', path: '/health' },
  { method: 'GET', path: '/ready' },
  { method: 'GET', path: '/openapi.json' },
  { method: 'GET', path: '/docs' },
  { method: 'GET', path: '/' },
];

/** The methods that a path takes; none for a path that does not exist. */
export function findMethods(path: string): string[] {
  return ROUTES.filter((route) => toPattern(route.path).test(path)).map((route) => route.method);
}

function toPattern(path: string): RegExp {
  return new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}/?$`);
}
