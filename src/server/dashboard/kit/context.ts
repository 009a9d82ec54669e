import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { PolicyInfo } from '../../../policies/access.ts'
import type { PolicyOverrides, Profile } from '../../../policies/settings.ts'
import type { Remote, Vocabulary } from '../../../remote/connect.ts'
import { decodePart } from '../../../utils/escape.ts'
import type { useLiveWorld } from './live-world.ts'
import { type LoadState, type Notifications, useLoad, useStore } from './store.ts'

type Path = readonly (string | number)[]

/** How many sandboxes a view lists. */
export const maxSandboxes = 500

/** The settings of a view in the URL, such as its filter, its sorting and its page. */
export type ViewParams = Readonly<Record<string, string>>

interface DashboardRoute {
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
  return { path: segments.map(decodePart), sandbox, params }
}

/** @example formatHash(['requests', '12'], null, { status: '4xx' }) // '#/requests/12?status=4xx' */
export function formatHash(path: Path, sandbox: string | null, params: ViewParams = {}): string {
  const query = String(new URLSearchParams(withoutEmpty({ ...params, in: sandbox ?? '' })))
  return `#/${path.map((segment) => encodeURIComponent(segment)).join('/')}${query && `?${query}`}`
}

/** The values of a form or a filter without the empty ones, for which the server has defaults. */
export function withoutEmpty<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], ''> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '')) as never
}

/** Functions that return URL hashes. */
interface Links {
  /** Returns the URL hash of a view in the selected world. */
  readonly link: (...path: Path) => string
  /** Returns the URL hash of a view with settings of its own. */
  readonly linkTo: (path: Path, params: ViewParams) => string
  /** Returns the URL hash of a view with the settings of the present one. */
  readonly linkHere: (...path: Path) => string
}

export function linksOf({ sandbox, params: shown }: DashboardRoute): Links {
  return {
    link: (...path) => formatHash(path, sandbox),
    linkTo: (path, params) => formatHash(path, sandbox, params),
    linkHere: (...path) => formatHash(path, sandbox, shown),
  }
}

/** The selected world, which is the server's main world or a sandbox, and what its views share. */
export interface Dashboard extends Links, Readonly<ReturnType<typeof useLiveWorld>> {
  /** The client of the server's main world, which manages the sandboxes. */
  readonly server: Remote
  /** The id of the selected sandbox; null for the main world. */
  readonly sandbox: string | null
  readonly notifications: Notifications
  readonly route: DashboardRoute
  /** Changes the parameters of the URL in place: the Back button leaves the view, not the filter. */
  readonly replaceParams: (params: ViewParams) => void
  /** Opens a view by its URL hash. */
  readonly open: (hash: string) => void
}

export const DashboardContext = createContext<Dashboard | null>(null)

export function useDashboard(): Dashboard {
  const dashboard = useContext(DashboardContext)
  if (!dashboard) throw new Error('useDashboard() requires a DashboardContext provider.')
  return dashboard
}

/** The clients of a server, which a page with a panel does not have: of its main world, and of the selected world. */
export interface Server {
  readonly main: Remote
  readonly selected: Remote
}

export const ServerContext = createContext<Server | null>(null)

export function useServer(): Server {
  const server = useContext(ServerContext)
  if (!server) throw new Error('useServer() requires a ServerContext provider.')
  return server
}

/**
 * The settings of a view, which are part of the URL and survive a reload.
 *
 * @param defaults are not in the URL
 */
export function useViewParams<T extends ViewParams>(defaults: T) {
  const { route, replaceParams } = useDashboard()
  const params: T = { ...defaults, ...route.params }
  /** A change of anything but the page leads back to the first page. */
  const setParams = (changes: Partial<Record<keyof T, string>>) => {
    const next: Record<string, string> = { ...params, page: '', ...changes }
    const entries = Object.entries(next).filter(([name, value]) => value !== defaults[name])
    replaceParams(Object.fromEntries(entries))
  }
  /** The properties of a form field that changes a parameter. */
  const field = <Name extends keyof T & string>(name: Name) => ({
    value: params[name],
    onChange: (value: string) => setParams({ [name]: value } as Partial<Record<keyof T, string>>),
  })
  return { params, setParams, field }
}

/** The clock, the faults, the policies and the health. The component renders again when they change. */
export function useLiveState() {
  const { value, error, refresh: reload } = useStore(useDashboard().state)
  const { clock, faults = [], policies = [], changes, health, receivedAt = 0 } = value ?? {}
  const { profile, changedPolicies } = nearestProfile(policies)
  const all = { clock, faults, policies, profile, changedPolicies, changes, health, receivedAt }
  return { ...all, error, reload }
}

/** The profile that fewer policies differ from, and these policies. */
export function nearestProfile(policies: readonly PolicyInfo[]) {
  const differing = (profile: Profile): readonly PolicyInfo[] =>
    policies.filter((policy) => policy.setting !== policy[profile])
  const [documented, live] = [differing('documented'), differing('live')]
  const profile: Profile = live.length < documented.length ? 'live' : 'documented'
  return { profile, changedPolicies: profile === 'live' ? live : documented }
}

/** The settings of policies in a profile, by their ids. */
export function settingsOf(profile: Profile, policies: readonly PolicyInfo[]): PolicyOverrides {
  return Object.fromEntries(policies.map((policy) => [policy.id, policy[profile]]))
}

/**
 * Returns a function that runs an operation. A notification shows the message that it resolves to, or its error. Since
 * an operation can change anything, what is shown is loaded again.
 */
export function useAction(onSuccess?: () => void) {
  const { notifications, state, journal } = useDashboard()
  return async (
    work: () => Promise<string>,
    showError = (error: unknown) => notifications.showError(error),
  ): Promise<void> => {
    try {
      const message = await work()
      state.refresh()
      journal.reloadRows()
      notifications.showSuccess(message)
      onSuccess?.()
    } catch (error) {
      showError(error)
    }
  }
}

/** Loads something of the world, and loads it again when a request has changed rows, and after each operation. */
export function useWorldData<T>(
  request: (remote: Remote) => Promise<T>,
  inputs: readonly unknown[] = [],
): LoadState<T> {
  const { remote, journal } = useDashboard()
  const { rowsVersion } = useStore(journal)
  return useLoad(() => request(remote), [remote, rowsVersion, ...inputs])
}

export type RowNames = ReadonlyMap<number | string, string | null>

interface NamedRow {
  readonly id: number | string
  readonly name?: string | null
  readonly first_name?: string
  readonly last_name?: string
}

/** The names of rows by id, of the first 200 rows: a menu can hold as many. */
export function useRowNames(
  list: 'projects' | 'users' | 'organizations' | 'plugins' | 'dashboard_items',
): RowNames {
  const { remote } = useDashboard()
  const { value } = useLoad(() => remote.world.find(list, { limit: 200 }), [remote, list])
  const rows: readonly NamedRow[] = value?.rows ?? []
  return new Map(
    rows.map(({ id, first_name, last_name, name = `${first_name} ${last_name}`.trim() }) => [
      id,
      name,
    ]),
  )
}

export function toOptions(names: RowNames) {
  return [...names].map(([id, name]) => [String(id), `${name} (${id})`] as const)
}

/** The names that rules and rows may contain. Undefined until they are loaded. */
export function useVocabulary(): Vocabulary | undefined {
  const { server } = useDashboard()
  return useLoad(() => server.vocabulary(), [server]).value
}
