import { Clapperboard, House } from 'lucide'
import { render } from 'preact'
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { connect, type Remote } from '../../remote/connect.ts'
import {
  type Dashboard,
  DashboardContext,
  formatHash,
  linksOf,
  parseHash,
  ServerContext,
  useDashboard,
} from './kit/context.ts'
import { Button, Input, Select } from './kit/fields.tsx'
import { onSubmit } from './kit/form.tsx'
import { Mark } from './kit/inline.tsx'
import { useLiveWorld } from './kit/live-world.ts'
import { ErrorMessage, NotificationBar } from './kit/panels.tsx'
import { Notifications, useLoad, useStore } from './kit/store.ts'
import { readToken, storeToken, takeTokenFromUrl } from './kit/token.ts'
import { Badges } from './overview/changes.tsx'
import { OverviewPage } from './overview/overview-page.tsx'
import { ScenariosPage } from './scenarios/scenarios-page.tsx'
import { readTheme, saveTheme, type Theme } from './theme.ts'
import { NotFound, SandboxSelect, sharedPages, type View, ViewLinks } from './views.tsx'

function App({ url }: { url: string }) {
  const [token, setToken] = useState(() => readToken(sessionStorage))
  const { value: server, error, reload } = useLoad(() => openServer(url, token), [url, token])
  if ((error as { status?: number } | null)?.status === 401) {
    const enter = (newToken: string) => {
      storeToken(newToken, sessionStorage)
      setToken(newToken)
    }
    return <TokenForm isRejected={token !== undefined} onEnter={enter} />
  }
  if (error && !server) {
    return (
      <main class="token-page">
        <ErrorMessage error={error} reload={reload} />
      </main>
    )
  }
  if (server) return <ConnectedApp server={server} token={token} />
  return (
    <header class="side">
      <span class="brand">
        <Mark /> Understudy
      </span>
    </header>
  )
}

async function openServer(url: string, token: string | undefined): Promise<Remote> {
  const server = connect(url, token === undefined ? {} : { token })
  // The health endpoint would not do: it needs no token.
  await server.clock.read()
  return server
}

function TokenForm(props: { isRejected: boolean; onEnter: (token: string) => void }) {
  const { isRejected, onEnter } = props
  const [token, setToken] = useState('')
  return (
    <main class="token-page">
      <Mark />
      <h1>Understudy</h1>
      <form onSubmit={onSubmit(() => onEnter(token.trim()))}>
        <p>
          Enter the token this server was started with. It is remembered until you close this tab.
        </p>
        <Input
          {...{ label: 'Token', type: 'password', autocomplete: 'off', required: true }}
          aria-invalid={isRejected}
          aria-describedby="token-error"
          value={token}
          onChange={setToken}
        />
        <p id="token-error" class="bad" role="alert">
          {isRejected && "Wrong token. Check the server's --token option or UNDERSTUDY_TOKEN."}
        </p>
        <button type="submit" class="primary">
          Continue
        </button>
      </form>
    </main>
  )
}

function ConnectedApp({ server, token }: { server: Remote; token: string | undefined }) {
  const [route, setRoute] = useState(() => parseHash(location.hash))
  const { path, sandbox } = route
  const notifications = useMemo(() => new Notifications(), [])
  // A layout effect: it listens as soon as the page is drawn, so that no link that is followed then is lost.
  useLayoutEffect(() => {
    const navigate = () => {
      setRoute(parseHash(location.hash))
      notifications.dismiss()
    }
    addEventListener('hashchange', navigate)
    return () => removeEventListener('hashchange', navigate)
  }, [])
  const remote = useMemo(() => {
    const sandboxUrl = `${server.url}/__sandbox/${encodeURIComponent(sandbox ?? '')}`
    const options = token === undefined ? {} : { token }
    return sandbox === null ? server : connect(sandboxUrl, options)
  }, [server, sandbox])
  const clients = useMemo(() => ({ main: server, selected: remote }), [server, remote])
  const world = useLiveWorld(server, remote)
  const dashboard = useMemo((): Dashboard => {
    const replaceParams: Dashboard['replaceParams'] = (params) => {
      setRoute({ ...route, params })
      history.replaceState(null, '', formatHash(path, sandbox, params))
    }
    return {
      ...world,
      server,
      sandbox,
      notifications,
      route,
      replaceParams,
      open(hash) {
        location.hash = hash
      },
      ...linksOf(route),
    }
  }, [world, route])
  return (
    <ServerContext.Provider value={clients}>
      <DashboardContext.Provider value={dashboard}>
        <Layout />
        <NotificationBar />
      </DashboardContext.Provider>
    </ServerContext.Provider>
  )
}

const pages: readonly View[] = [
  ['overview', 'Overview', () => <OverviewPage />, House],
  ...sharedPages,
  ['scenarios', 'Scenarios', ([name]) => <ScenariosPage name={name} />, Clapperboard],
]

/** The frame of all pages, and the page that the URL names. */
function Layout() {
  const { link, route } = useDashboard()
  const [name = 'overview', ...rest] = route.path
  const [, title = 'Not found', view] = pages.find(([candidate]) => candidate === name) ?? []
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
      <Button label="Skip to content" class="skip" onClick={() => heading.current?.focus()} />
      <header class="side">
        <a class="brand" href={link()}>
          <Mark /> Understudy
        </a>
        <nav aria-label="Main navigation">
          <ViewLinks views={pages} open={name} toHref={link} />
          <a href="docs/">API</a>
        </nav>
        <div class="tools">
          <ConnectionStatus />
          <ThemeSelect />
        </div>
      </header>
      <main id="content">
        <div class="bar">
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          <Badges />
          <SandboxSelect />
        </div>
        {view?.(rest) ?? <NotFound />}
      </main>
    </>
  )
}

const connectionLabels = {
  connecting: 'Connecting…',
  live: 'Live',
  lost: 'Disconnected, retrying…',
} as const

function ConnectionStatus() {
  const { state } = useStore(useDashboard().journal)
  return (
    <span class={`connection ${state}`} role="status">
      {connectionLabels[state]}
    </span>
  )
}

const themeOptions = [
  ['system', 'System theme'],
  ['light', 'Light theme'],
  ['dark', 'Dark theme'],
] as const

function ThemeSelect() {
  const [theme, setTheme] = useState(() => readTheme(localStorage))
  const select = (selected: Theme) => {
    saveTheme(selected, document.documentElement, localStorage)
    setTheme(selected)
    dispatchEvent(new Event('themechange'))
  }
  return <Select label="Theme" hideLabel options={themeOptions} value={theme} onChange={select} />
}

/** Lets `?in=sandbox-1` select the world before the hash, too. The hash of a link says more, and wins. */
function moveSandboxToHash(): void {
  const sandbox = new URLSearchParams(location.search).get('in')
  if (sandbox === null) return
  const { path, params, sandbox: linked } = parseHash(location.hash)
  history.replaceState(null, '', location.pathname + formatHash(path, linked ?? sandbox, params))
}

takeTokenFromUrl(location, history, sessionStorage)
// In a tab that shows the page already, a link with a token changes the hash only.
addEventListener('hashchange', () => location.hash.startsWith('#token=') && location.reload())
moveSandboxToHash()
// A reverse proxy may serve everything below a path prefix.
const url = location.origin + location.pathname.replace(/\/__admin\/.*$/, '')

render(<App url={url} />, document.getElementById('app') as HTMLElement)
