import { render } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { connect, type Remote } from '../../remote/connect.ts'
import { type Dashboard, DashboardContext } from './kit/context.ts'
import { Input, onSubmit } from './kit/form.tsx'
import { Notifications, useLoad } from './kit/hooks.ts'
import { LiveJournal } from './kit/live-journal.ts'
import { formatHash, parseHash } from './kit/navigation.ts'
import { ErrorMessage, NotificationBar } from './kit/panels.tsx'
import { readToken, storeToken, takeTokenFromUrl } from './kit/token.ts'
import { Layout } from './shell/layout.tsx'

function App({ url }: { url: string }) {
  const [token, setToken] = useState(() => readToken(sessionStorage))
  const server = useMemo(() => connect(url, token === undefined ? {} : { token }), [url, token])
  // The health endpoint would not do: it needs no token.
  const { value, error, reload } = useLoad(() => server.clock.read(), [server])
  if ((error as { status?: number } | null)?.status === 401) {
    const enter = (newToken: string) => {
      storeToken(newToken, sessionStorage)
      setToken(newToken)
    }
    return <TokenForm isRejected={token !== undefined} onEnter={enter} />
  }
  if (error && !value) {
    return (
      <main class="token-page">
        <ErrorMessage error={error} onRetry={reload} />
      </main>
    )
  }
  return <ConnectedApp server={server} token={token} />
}

function TokenForm(props: { isRejected: boolean; onEnter: (token: string) => void }) {
  const { isRejected, onEnter } = props
  const [token, setToken] = useState('')
  return (
    <main class="token-page">
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
  const notifications = useMemo(() => new Notifications(), [])
  useEffect(() => {
    const navigate = () => {
      setRoute(parseHash(location.hash))
      notifications.dismiss()
    }
    addEventListener('hashchange', navigate)
    return () => removeEventListener('hashchange', navigate)
  }, [])
  const { sandbox } = route
  const dashboard = useMemo((): Dashboard => {
    const sandboxUrl = `${server.url}/__sandbox/${encodeURIComponent(sandbox ?? '')}`
    const options = token === undefined ? {} : { token }
    const remote = sandbox === null ? server : connect(sandboxUrl, options)
    const journal = new LiveJournal(remote)
    const link: Dashboard['link'] = (...path) => formatHash(path, sandbox)
    return { server, remote, sandbox, journal, notifications, link }
  }, [server, sandbox])
  useEffect(() => {
    dashboard.journal.follow()
    return () => dashboard.journal.close()
  }, [dashboard])
  return (
    <DashboardContext.Provider value={dashboard}>
      <Layout route={route} />
      <NotificationBar notifications={notifications} />
    </DashboardContext.Provider>
  )
}

takeTokenFromUrl(location, history, sessionStorage)
// A reverse proxy may serve everything below a path prefix.
const url = location.origin + location.pathname.replace(/\/__admin\/.*$/, '')

render(<App url={url} />, document.getElementById('app') as HTMLElement)
