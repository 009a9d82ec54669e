import { matchRequestUrl } from 'msw'
import { type BaseUrl, baseUrlPattern, type PathMatcher } from '../http/url.ts'

/** Creates a matcher for a path as MSW writes it, below a base URL or a sandbox. A slash at the end is optional. */
export function createMswMatcher(path: string, base: BaseUrl): PathMatcher {
  const start = new RegExp(`^${baseUrlPattern(base)}(/[^?#]*)`)
  const [origin, pattern] = ['http://localhost', path.replace(/(?<=.)\/$/, '')]
  return {
    pattern,
    match(url) {
      const [, sandboxId, target] = start.exec(url) ?? []
      if (target === undefined) return null
      const { matches } = matchRequestUrl(new URL(origin + target), origin + pattern)
      return matches ? { params: {}, suffix: undefined, sandboxId } : null
    },
  }
}
