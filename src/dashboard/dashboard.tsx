import type { ComponentChild } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { createRemote } from '../admin/connect.ts'
import type { Connection, RemoteError } from '../admin/connection.ts'
import { nearestProfile } from '../settings/profiles.ts'
import { formatCount } from '../utils/text.ts'
import { repeat } from '../utils/wait.ts'
import { type App, AppContext, type Notice, useApp, useLinks, useLive } from './app.ts'
import { FaultsView } from './faults.tsx'
import { capitalize, isUsedUp } from './format.ts'
import { KeysView } from './keys.tsx'
import { Button, Select } from './kit.tsx'
import { Empty, Mark } from './layout.tsx'
import { Live } from './live.ts'
import { listProblems } from './problem-list.ts'
import { RequestsView } from './requests.tsx'
import { formatHash, type Params, parseHash, type Route } from './route.ts'
import { RowsView } from './rows.tsx'
import { SettingsView } from './settings.tsx'
import { StateView } from './state.tsx'

type View = (props: { readonly path: readonly string[] }) => ComponentChild

/** By the first part of the address. The first one is the first page. */
const views: Readonly<Record<string, View>> = {
  requests: RequestsView,
  rows: RowsView,
  keys: KeysView,
  faults: FaultsView,
  settings: SettingsView,
  state: StateView,
}

interface DashboardProps extends Pick<App, 'isInPage' | 'address'> {
  /** To the admin API of the main world */
  readonly connection: Connection
  /** Shown instead if the admin API wants another token */
  readonly locked?: ComponentChild
}

export function Dashboard({ connection, address, isInPage, locked }: DashboardProps) {
  const [route, setRoute] = useState(() => parseHash(address.read()))
  const [notice, notify] = useState<Notice | null>(null)
  // Layout effects: the first ones run before the page is painted.
  useLayoutEffect(
    () =>
      address.follow(() => {
        setRoute(parseHash(address.read()))
        notify(null)
      }),
    [address],
  )
  const { sandbox } = route
  const { server, remote, live } = useMemo(() => {
    const server = createRemote(connection)
    const path = `/__sandbox/${encodeURIComponent(sandbox ?? '')}`
    const remote = sandbox === null ? server : createRemote(connection.at(connection.url + path))
    return { server, remote, live: new Live(server, remote) }
  }, [connection, sandbox])
  useLayoutEffect(() => {
    const closing = new AbortController()
    live.follow(closing.signal)
    return () => closing.abort()
  }, [live])
  const app = useMemo(
    (): App => ({ server, remote, live, isInPage, address, route, setRoute, notify }),
    [live, address, route],
  )
  return (
    <AppContext.Provider value={app}>
      <Frame route={route} locked={locked} />
      <NoticeBar notice={notice} onDismiss={() => notify(null)} />
    </AppContext.Provider>
  )
}

function Frame({ route: { path }, locked }: { route: Route; locked: ComponentChild }) {
  const { isInPage } = useApp()
  const { link } = useLinks()
  const { isLoaded, isLocked } = useLive()
  // A page has its own main part, and its own title.
  const Main = isInPage ? 'div' : 'main'
  const [name = 'requests', ...rest] = path
  const View = views[name]
  const title = View ? capitalize(name) : 'Not found'
  const heading = useRef<HTMLHeadingElement>(null)
  const isFirst = useRef(true)
  // A layout effect: title and focus change in the same frame as the page.
  useLayoutEffect(() => {
    if (!isInPage) document.title = `${title} – Understudy`
    // Screen readers then announce the page that was navigated to.
    if (!isFirst.current && rest.length === 0) heading.current?.focus()
    isFirst.current = false
  }, [name])
  if (isLocked) return locked
  return (
    <div class="frame">
      <header class="side">
        <a class="brand" href={link()}>
          <Mark /> Understudy
        </a>
        <nav aria-label="Main navigation">
          {Object.keys(views).map((view) => (
            <a key={view} href={link(view)} aria-current={view === name ? 'page' : undefined}>
              {capitalize(view)} {view === 'requests' && <ProblemCount />}
            </a>
          ))}
          {!isInPage && <a href="docs/">API</a>}
        </nav>
        {!isInPage && <ConnectionState />}
      </header>
      <Main>
        <ConnectionLost />
        <div class="row bar">
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          <Badges />
          <SandboxSelect />
        </div>
        {!View && <Empty title="This page does not exist." />}
        {View && isLoaded && <View path={rest} />}
      </Main>
    </div>
  )
}

function ProblemCount() {
  const { faults, mistakes, entries } = useLive()
  const { length } = listProblems(faults, mistakes, entries)
  if (length === 0) return null
  return (
    <span class="tag bad">
      {length}
      <span class="visually-hidden"> {length === 1 ? 'problem' : 'problems'}</span>
    </span>
  )
}

const connectionLabels = {
  connecting: 'Connecting…',
  connected: 'Connected',
  lost: 'Not connected',
} as const

function ConnectionState() {
  const { remote } = useApp()
  const { connection } = useLive()
  return (
    <div class="connection">
      <p class={connection} role="status">
        {connectionLabels[connection]}
      </p>
      <code>{remote.url}</code>
    </div>
  )
}

/** The only message of a server that is gone. */
function ConnectionLost() {
  const { connection, error, isLoaded } = useLive()
  if (connection !== 'lost') return null
  // A server that is there says what it refuses.
  const refusal = (error as Partial<RemoteError> | null)?.status
  return (
    <p class="error" role="alert">
      {refusal ? error?.message : 'The server does not respond.'} This page{' '}
      {isLoaded && 'shows what it loaded before, and '}tries to connect again every two seconds.
    </p>
  )
}

/** Links to what makes responses differ from those of a new server. */
function Badges() {
  const { clock, faults, settings } = useLive()
  const { sandbox } = useApp().route
  const { profile, changed } = nearestProfile(settings)
  const active = faults.filter((fault) => !isUsedUp(fault)).length
  const badge = (path: string, text: string, params: Params = {}) => (
    <a class="tag assumed" href={formatHash([path], sandbox, params)}>
      {text}
    </a>
  )
  return (
    <div class="row grow">
      {profile === 'live' && badge('settings', 'profile live')}
      {changed.length > 0 &&
        badge('settings', `${formatCount(changed.length, 'setting')} changed`, {
          search: 'changed',
        })}
      {active > 0 && badge('faults', formatCount(active, 'fault'))}
      {clock &&
        clock.mode !== 'real' &&
        badge('state', `clock ${clock.mode === 'frozen' ? 'frozen' : 'set'}`)}
    </div>
  )
}

/** Selects the main world or a sandbox, if there are any. */
function SandboxSelect() {
  const { address, route } = useApp()
  const { sandboxes } = useLive()
  const { sandbox } = route
  const options = new Map(
    sandboxes.map(({ id, name }) => [id, name === null ? id : `${id}: ${name}`]),
  )
  if (sandbox !== null && !options.has(sandbox)) options.set(sandbox, sandbox)
  if (options.size === 0) return null
  return (
    <Select
      label="Sandbox"
      options={[['', 'none (main world)'], ...options]}
      value={sandbox ?? ''}
      onChange={(id) => address.go(formatHash(route.path.slice(0, 1), id || null))}
    />
  )
}

/** Milliseconds until a success disappears. An error stays. */
const noticeTime = 8_000

function NoticeBar({ notice, onDismiss }: { notice: Notice | null; onDismiss: () => void }) {
  useEffect(() => {
    if (notice && !notice.isError) return repeat(noticeTime, onDismiss)
  }, [notice])
  return (
    <div class="notices" role="status">
      {notice && (
        <p class={notice.isError ? 'notice bad' : 'notice'}>
          <span>{notice.text}</span>
          <Button label="Dismiss" class="quiet" onClick={onDismiss} />
        </p>
      )}
    </div>
  )
}
