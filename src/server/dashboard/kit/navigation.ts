export interface DashboardRoute {
  /** The page and the item that is open: `['requests', '12']` */
  readonly path: readonly string[]
  /** The id of the selected sandbox; null for the server's main world */
  readonly sandbox: string | null
}

export function parseHash(hash: string): DashboardRoute {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?')
  const segments = path.split('/').filter((segment) => segment !== '')
  return { path: segments.map(decodeSegment), sandbox: new URLSearchParams(query).get('in') }
}

/** @example formatHash(['requests', '12'], null) // '#/requests/12' */
export function formatHash(path: readonly (string | number)[], sandbox: string | null): string {
  const query = sandbox === null ? '' : `?in=${encodeURIComponent(sandbox)}`
  return `#/${path.map((segment) => encodeURIComponent(segment)).join('/')}${query}`
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
