import { type ComponentChild, render } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { createRemote, type Remote } from '../control/connect.ts'
import { Connection, type RemoteError } from '../control/connection.ts'
import { formatCount } from '../utils/count.ts'
import { decodePart } from '../utils/escape.ts'
import { abortOf, wait } from '../utils/wait.ts'
import { type App, AppContext, type Notice, useApp, useLinks, useLive } from './app.ts'
import { FaultsView } from './faults.tsx'
import { capitalize, isUsedUp } from './format.ts'
import { KeysView } from './keys.tsx'
import { Button, Input, Select } from './kit.tsx'
import { Empty, Mark } from './layout.tsx'
import { Live } from './live.ts'
import { RequestsView } from './requests.tsx'
import { formatHash, parseHash, type Route } from './route.ts'
import { RowsView } from './rows.tsx'
import { ScenariosView } from './scenarios.tsx'
import { nearestProfile, SettingsView } from './settings.tsx'
import { StateView } from './state.tsx'
import { countTrouble } from './trouble.tsx'

type View = (props: { readonly path: readonly string[] }) => ComponentChild

/** By the first part of the address. The first one is the first page. */
const views: Readonly<Record<string, View>> = {
  requests: RequestsView,
  rows: RowsView,
  keys: KeysView,
  faults: FaultsView,
  settings: SettingsView,
  state: StateView,
  scenarios: ScenariosView,
}

const tokenItem = 'understudy-token'

const brand = (
  <span class="brand">
    <Mark /> Understudy
  </span>
)

interface TokenProps {
  readonly isRejected: boolean
  readonly onEnter: (token: string) => void
}

function TokenForm(props: TokenProps) {
  const [token, setToken] = useState('')
  const enter = (event: SubmitEvent) => {
    event.preventDefault()
    sessionStorage.setItem(tokenItem, token.trim())
    props.onEnter(token.trim())
  }
  return (
    <main class="start">
      <h1>
        <Mark /> Understudy
      </h1>
      <p>Enter the token of this server. It is kept until you close this tab.</p>
      <form class="row" onSubmit={enter}>
        <Input label="Token" type="password" required value={token} onChange={setToken} />
        <button type="submit">Continue</button>
      </form>
      <p class="bad" role="alert">
        {props.isRejected && 'This is not the token that the server was started with.'}
      </p>
    </main>
  )
}

/** The page is of this server, so that its first request is already one for data. */
function open(url: string, token: string | null): Remote {
  return createRemote(new Connection(url, token ?? undefined, Promise.resolve()))
}

function Dashboard({ url }: { url: string }) {
  const [token, setToken] = useState(() => sessionStorage.getItem(tokenItem))
  const [route, setRoute] = useState(() => parseHash(location.hash))
  const [notice, notify] = useState<Notice | null>(null)
  // Layout effects: the first ones run before the page is painted.
  useLayoutEffect(() => {
    const navigate = () => {
      setRoute(parseHash(location.hash))
      notify(null)
    }
    addEventListener('hashchange', navigate)
    return () => removeEventListener('hashchange', navigate)
  }, [])
  const { sandbox } = route
  const { server, remote, live } = useMemo(() => {
    const server = open(url, token)
    const path = sandbox === null ? '' : `/__sandbox/${encodeURIComponent(sandbox)}`
    const remote = sandbox === null ? server : open(url + path, token)
    return { server, remote, live: new Live(server, remote) }
  }, [token, sandbox])
  useLayoutEffect(() => {
    const closing = new AbortController()
    live.follow(closing.signal)
    return () => closing.abort()
  }, [live])
  const app = useMemo((): App => ({ server, remote, live, route, setRoute, notify }), [live, route])
  return (
    <AppContext.Provider value={app}>
      <Gate isRejected={token !== null} onEnter={setToken}>
        <Frame route={route} />
      </Gate>
      <NoticeBar notice={notice} onDismiss={() => notify(null)} />
    </AppContext.Provider>
  )
}

/** Asks for the token of the server, if it has one that this tab does not know. */
function Gate({ children, ...props }: TokenProps & { children: ComponentChild }) {
  const { isLocked } = useLive()
  return isLocked ? <TokenForm {...props} /> : children
}

function Frame({ route: { path } }: { route: Route }) {
  const { link } = useLinks()
  const { isLoaded } = useLive()
  const [name = 'requests', ...rest] = path
  const View = views[name]
  const title = View ? capitalize(name) : 'Not found'
  const heading = useRef<HTMLHeadingElement>(null)
  const isFirst = useRef(true)
  // A layout effect: title and focus change in the same frame as the page.
  useLayoutEffect(() => {
    document.title = `${title} – Understudy`
    // Screen readers then announce the page that was navigated to.
    if (!isFirst.current && rest.length === 0) heading.current?.focus()
    isFirst.current = false
  }, [name])
  return (
    <>
      <header class="side">
        <a href={link()}>{brand}</a>
        <nav aria-label="Main navigation">
          {Object.keys(views).map((each) => (
            <a key={each} href={link(each)} aria-current={each === name ? 'page' : undefined}>
              {capitalize(each)} {each === 'requests' && <TroubleBadge />}
            </a>
          ))}
          <a href="docs/">API</a>
        </nav>
        <ConnectionState />
      </header>
      <main>
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
      </main>
    </>
  )
}

/** How many mistakes of clients and kinds of failed requests there are. */
function TroubleBadge() {
  const count = countTrouble(useLive())
  if (count === 0) return null
  return (
    <span class="tag bad">
      {count}
      <span class="visually-hidden"> {count === 1 ? 'problem' : 'problems'}</span>
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
  const { link } = useLinks()
  const { profile, changed } = nearestProfile(settings)
  const active = faults.filter((fault) => !isUsedUp(fault)).length
  const badge = (path: string, text: string) => (
    <a class="tag assumed" href={link(path)}>
      {text}
    </a>
  )
  return (
    <div class="row grow">
      {profile === 'live' && badge('settings', 'profile live')}
      {changed.length > 0 && badge('settings', `${formatCount(changed.length, 'setting')} changed`)}
      {active > 0 && badge('faults', formatCount(active, 'fault'))}
      {clock &&
        clock.mode !== 'real' &&
        badge('state', `clock ${clock.mode === 'frozen' ? 'frozen' : 'set'}`)}
    </div>
  )
}

/** Selects the main world or a sandbox, if there are any. */
function SandboxSelect() {
  const { route } = useApp()
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
      onChange={(id) => {
        location.hash = formatHash(route.path.slice(0, 1), id || null)
      }}
    />
  )
}

/** Milliseconds until a success disappears. An error stays. */
const noticeTime = 8_000

function NoticeBar({ notice, onDismiss }: { notice: Notice | null; onDismiss: () => void }) {
  useEffect(() => {
    if (!notice || notice.isError) return
    const replaced = new AbortController()
    wait(noticeTime, abortOf(replaced.signal)).then((isOver) => isOver && onDismiss())
    return () => replaced.abort()
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

/** Keeps the token of a link such as `/__admin/#token=secret` out of the address. */
function takeToken(): void {
  const token = /^#token=(.+)$/.exec(location.hash)?.[1]
  if (token === undefined) return
  sessionStorage.setItem(tokenItem, decodePart(token))
  history.replaceState(null, '', `${location.pathname}${location.search}#/`)
}

takeToken()
// In a tab that shows the page already, a link with a token changes the hash only.
addEventListener('hashchange', () => location.hash.startsWith('#token=') && location.reload())
// A reverse proxy may serve everything below a path prefix.
const url = location.origin + location.pathname.replace(/\/__admin\/.*$/, '')
render(<Dashboard url={url} />, document.getElementById('app') as HTMLElement)
