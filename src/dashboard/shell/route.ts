/** Where in the dashboard somebody is: what stands behind `#` in the address. */
export interface Route {
  /** The page and what is open on it: `['requests', '12']` */
  readonly path: readonly string[]
  /** The sandbox that is looked at; null for the server's own world */
  readonly sandbox: string | null
}

/** @example readRoute('#/requests/12?in=sandbox-1') // { path: ['requests', '12'], sandbox: 'sandbox-1' } */
export function readRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?')
  const parts = path.split('/').filter((part) => part !== '')
  return { path: parts.map(decoded), sandbox: new URLSearchParams(query).get('in') }
}

/** @example toHash(['requests', '12'], null) // '#/requests/12' */
export function toHash(path: readonly (string | number)[], sandbox: string | null): string {
  const query = sandbox === null ? '' : `?in=${encodeURIComponent(sandbox)}`
  return `#/${path.map((part) => encodeURIComponent(part)).join('/')}${query}`
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
