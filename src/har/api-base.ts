import { pathItems } from '../endpoints.ts'
import { toBaseUrl } from '../http/base.ts'
import { createPathMatcher } from '../http/path.ts'

const apiPaths = pathItems.map(({ pattern }) => createPathMatcher(pattern, toBaseUrl('*')))

/**
 * Where the API begins, by an address of it; null for the address of anything else.
 *
 * @example apiBase('https://example.com/mock/api/projects/1/annotations/?limit=2') // 'https://example.com/mock'
 */
export function findApiBase(url: string): string | null {
  const [address = ''] = url.split(/[?#]/)
  const origin = /^https?:\/\/[^/]*/i.exec(address)?.[0].length ?? address.length
  for (let at = address.indexOf('/api/', origin); at >= 0; at = address.indexOf('/api/', at + 1)) {
    const path = address.slice(at)
    if (apiPaths.some((one) => one.match(path) !== null)) return address.slice(0, at)
  }
  return null
}
