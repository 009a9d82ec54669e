import { decodePart } from '../utils/text.ts'

export type ViewPath = readonly (string | number)[]
export type Params = Readonly<Record<string, string>>

/** Where the dashboard keeps what it shows, such as `#/requests/12?filter=404`: in the address of its page, or in a panel. */
export interface Address {
  read(): string
  /** @param replaces whether Back leaves the present one out */
  go(hash: string, replaces?: boolean): void
  /** Calls a listener when another view is shown. @returns a function that removes the listener */
  follow(listener: () => void): () => void
}

/** The address of a page that shows only the dashboard. */
export const pageAddress: Address = {
  read: () => location.hash,
  go(hash, replaces = false) {
    if (replaces) history.replaceState(null, '', hash)
    else location.hash = hash
  },
  follow(listener) {
    addEventListener('hashchange', listener)
    return () => removeEventListener('hashchange', listener)
  },
}

/** What the address of the page shows: `#/requests/12?filter=404&in=sandbox-1` */
export interface Route {
  /** The view and what is open in it: `['requests', '12']` */
  readonly path: readonly string[]
  /** The id of the selected sandbox; null for the main world */
  readonly sandbox: string | null
  /** The settings of the view, such as its filter */
  readonly params: Params
}

export function parseHash(hash: string): Route {
  const [, path = '', query = ''] = /^#?\/?([^?]*)\??(.*)$/.exec(hash) ?? []
  const segments = path.split('/').filter((segment) => segment !== '')
  const { in: sandbox = null, ...params } = Object.fromEntries(new URLSearchParams(query))
  return { path: segments.map(decodePart), sandbox, params }
}

/** @example formatHash(['requests', 12], null, { filter: '404' }) // '#/requests/12?filter=404' */
export function formatHash(path: ViewPath, sandbox: string | null, params: Params = {}): string {
  const all = Object.entries({ ...params, in: sandbox ?? '' }).filter(([, value]) => value !== '')
  const query = String(new URLSearchParams(all))
  return `#/${path.map((segment) => encodeURIComponent(segment)).join('/')}${query && `?${query}`}`
}
