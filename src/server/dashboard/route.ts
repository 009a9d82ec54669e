import { decodePart } from '../../utils/escape.ts'
import { useApp } from './app.ts'

type Path = readonly (string | number)[]
type Params = Readonly<Record<string, string>>

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
export function formatHash(path: Path, sandbox: string | null, params: Params = {}): string {
  const all = Object.entries({ ...params, in: sandbox ?? '' }).filter(([, value]) => value !== '')
  const query = String(new URLSearchParams(all))
  return `#/${path.map((segment) => encodeURIComponent(segment)).join('/')}${query && `?${query}`}`
}

/** Returns functions that return the address of a view: `link` without the settings of the present one, `linkHere` with them. */
export function useLinks() {
  const { sandbox, params } = useApp().route
  return {
    link: (...path: Path): string => formatHash(path, sandbox),
    linkHere: (...path: Path): string => formatHash(path, sandbox, params),
  }
}

/** The settings of a view in the address. They survive a reload. The Back button leaves the view, not the filter. */
export function useParams() {
  const { route, setRoute } = useApp()
  const set = (changes: Params): void => {
    const next = { ...route, params: { ...route.params, ...changes } }
    history.replaceState(null, '', formatHash(next.path, next.sandbox, next.params))
    setRoute(next)
  }
  /** The properties of a form field that changes one. A filter leads back to the first page. */
  const field = (name: string) => ({
    value: route.params[name] ?? '',
    onChange: (value: string) => set({ page: '', [name]: value }),
  })
  return { params: route.params, set, field }
}
