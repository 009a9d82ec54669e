import { useEffect, useMemo, useState } from 'preact/hooks'
import type { Remote } from '../../../remote/connect.ts'
import { connect } from '../../../remote/connect.ts'
import { type Dashboard, DashboardContext } from '../kit/context.ts'
import { ErrorMessage, NotificationBar, Notifications } from '../kit/feedback.tsx'
import { useLoad } from '../kit/hooks.ts'
import { LiveJournal } from '../kit/live-journal.ts'
import { formatHash, parseHash } from '../kit/navigation.tsx'
import { storeToken } from '../kit/token.ts'
import { Layout } from './layout.tsx'
import { TokenForm } from './token-form.tsx'

interface AppProps {
  /** The base URL of the server, without `/__admin`. */
  readonly url: string
  readonly initialToken: string | undefined
}

/** The dashboard. Asks for the token first if the server requires one. */
export function App({ url, initialToken }: AppProps) {
  const [token, setToken] = useState(initialToken)
  const server = useMemo(() => connect(url, token === undefined ? {} : { token }), [url, token])
  // The health endpoint would not do: it needs no token.
  const { value, error, reload } = useLoad(() => server.clock.read(), [server])
  const isUnauthorized = (error as { status?: number } | null)?.status === 401
  if (isUnauthorized) {
    const submit = (newToken: string) => {
      storeToken(newToken, sessionStorage)
      setToken(newToken)
    }
    return <TokenForm isRejected={token !== undefined} onSubmit={submit} />
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
    return {
      server,
      remote,
      sandbox,
      journal: new LiveJournal(remote),
      notifications,
      link: (...path) => formatHash(path, sandbox),
    }
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
