import { families } from '../endpoints.ts'
import { toBase } from '../http/base.ts'
import { toPath } from '../http/path.ts'

const paths = families.map(({ pattern }) => toPath(pattern, toBase('*')))

/**
 * Where the API begins, by an address of it; null for the address of anything else.
 *
 * @example apiBase('https://example.com/mock/api/projects/1/annotations/?limit=2') // 'https://example.com/mock'
 */
export function apiBase(url: string): string | null {
  const [address = ''] = url.split(/[?#]/)
  const origin = /^https?:\/\/[^/]*/i.exec(address)?.[0].length ?? address.length
  for (let at = address.indexOf('/api/', origin); at >= 0; at = address.indexOf('/api/', at + 1)) {
    const path = address.slice(at)
    if (paths.some((one) => one.match(path) !== null)) return address.slice(0, at)
  }
  return null
}
