/** The settings of a view in the URL, such as its filter, its sorting and its page. */
export type ViewParams = Readonly<Record<string, string>>

export interface DashboardRoute {
  /** The page and the item that is open: `['requests', '12']` */
  readonly path: readonly string[]
  /** The id of the selected sandbox; null for the server's main world */
  readonly sandbox: string | null
  readonly params: ViewParams
}

export function parseHash(hash: string): DashboardRoute {
  const [, path = '', query = ''] = /^#?\/?([^?]*)\??(.*)$/.exec(hash) ?? []
  const segments = path.split('/').filter((segment) => segment !== '')
  const { in: sandbox = null, ...params } = Object.fromEntries(new URLSearchParams(query))
  return { path: segments.map(decodeSegment), sandbox, params }
}

/** @example formatHash(['requests', '12'], null, { status: '4xx' }) // '#/requests/12?status=4xx' */
export function formatHash(
  path: readonly (string | number)[],
  sandbox: string | null,
  params: ViewParams = {},
): string {
  const all = Object.entries({ ...params, in: sandbox ?? '' }).filter(([, value]) => value !== '')
  const query = all.length === 0 ? '' : `?${new URLSearchParams(all)}`
  return `#/${path.map((segment) => encodeURIComponent(segment)).join('/')}${query}`
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
