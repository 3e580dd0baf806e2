const MAX_PARAM_CHARS = 200;

interface Found<Target> {
  target: Target;
  /** The route as it was added, such as /sessions/:id. */
  route: string;
  params: Record<string, string>;
}

interface Route<Target> {
  method: string;
  route: string;
  segments: readonly string[];
  target: Target;
}

/** Finds the target for a method and a path; `:name` matches one segment, and a trailing slash is ignored. */
export interface Router<Target> {
  add(method: string, route: string, target: Target): void;
  find(method: string, path: string): Found<Target> | undefined;
  readonly routes: readonly { method: string; route: string }[];
}

export function createRouter<Target>(): Router<Target> {
  const routes: Route<Target>[] = [];
  return {
    routes,
    add: (method, route, target) => void routes.push({ method, route, segments: route.split('/'), target }),
    find(method, path) {
      const segments = splitPath(path);
      for (const { segments: wanted, route, target, ...each } of routes) {
        const params = segments && each.method === method ? matchSegments(wanted, segments) : undefined;
        if (params) return { target, route, params };
      }
      return undefined;
    },
  };
}

/** Returns undefined for a path that cannot be decoded, which then matches no route. */
function splitPath(path: string): string[] | undefined {
  try {
    const segments = path.split('/').map(decodeURIComponent);
    return segments.length > 2 && segments.at(-1) === '' ? segments.slice(0, -1) : segments;
  } catch {
    return undefined;
  }
}

function matchSegments(wanted: readonly string[], segments: readonly string[]): Record<string, string> | undefined {
  if (wanted.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const segment = segments[index] ?? '';
    const isParam = part.startsWith(':');
    if (isParam ? segment === '' || segment.length > MAX_PARAM_CHARS : segment !== part) return undefined;
    if (isParam) params[part.slice(1)] = segment;
  }
  return params;
}
