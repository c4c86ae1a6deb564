import type { FakeRoute } from './fake.ts'

type Asked = { method: string; path: string }

/** The first route that matches, with its `:names` decoded; null when no route matches. */
export function findRoute<R extends Pick<FakeRoute, 'method' | 'path'>>(
  routes: readonly R[],
  { method, path }: Asked,
): { route: R; params: Record<string, string> } | null {
  const parts = path.split('/')
  for (const route of routes) {
    const params = route.method === method ? match(route.path.split('/'), parts) : null
    if (params) return { route, params }
  }
  return null
}

function match(pattern: readonly string[], parts: readonly string[]): Record<string, string> | null {
  if (pattern.length !== parts.length) return null
  const params: Record<string, string> = {}
  for (const [index, wanted] of pattern.entries()) {
    const part = parts[index] ?? ''
    if (!wanted.startsWith(':')) {
      if (wanted !== part) return null
      continue
    }
    if (part === '') return null
    params[wanted.slice(1)] = decoded(part)
  }
  return params
}

/** A segment with invalid percent-encoding is used unchanged: it will be unknown. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
