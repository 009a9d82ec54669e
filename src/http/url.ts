/** Returns the path and query of an absolute URL, without the fragment. */
export function requestTarget(url: string): string {
  const start = url.indexOf('/', url.indexOf('//') + 2)
  return start < 0 ? '/' : url.slice(start).replace(/#.*$/s, '')
}

/** Returns the query of a URL, without `?` and without the fragment. It is empty if the URL has no query. */
export function queryString(url: string): string {
  const start = url.indexOf('?')
  if (start < 0) return ''
  const end = url.indexOf('#', start)
  return end < 0 ? url.slice(start + 1) : url.slice(start + 1, end)
}

/** Replaces the query of a URL. Parameters are sorted by name and encoded as by Python's `urlencode`. */
export function withQuery(url: string, query: URLSearchParams): string {
  const sorted = new URLSearchParams(query)
  sorted.sort()
  const text = String(sorted).replaceAll('*', '%2A').replaceAll('%7E', '~')
  const path = url.replace(/[?#].*$/s, '')
  return text === '' ? path : `${path}?${text}`
}

/** The path segment in front of a sandbox id: `/__sandbox/a/api/projects/`. */
export const sandboxPrefix = '/__sandbox'

/**
 * Splits a path into the id of a sandbox and the rest.
 *
 * @example splitSandboxPath('/__sandbox/a/api/projects/') // { sandboxId: 'a', path: '/api/projects/' }
 */
export function splitSandboxPath(path: string): { sandboxId: string | undefined; path: string } {
  if (!path.startsWith(`${sandboxPrefix}/`)) return { sandboxId: undefined, path }
  const [sandboxId = '', ...rest] = path.slice(sandboxPrefix.length + 1).split('/')
  return { sandboxId, path: `/${rest.join('/')}` }
}

/** Removes what precedes the paths of the API: a mount path or a sandbox. */
export function apiPath(path: string): string {
  const start = path.search(/\/api(\/|$)/)
  return start < 0 ? splitSandboxPath(path).path : path.slice(start)
}
