import { useEffect, useMemo, useState } from 'preact/hooks'
import type { Remote } from '../../../remote/connect.ts'
import { connect } from '../../../remote/connect.ts'
import { type Dashboard, DashboardContext } from '../kit/context.ts'
import { ErrorMessage, NotificationBar, Notifications } from '../kit/feedback.tsx'
import { useLoad } from '../kit/hooks.ts'
import { LiveJournal } from '../kit/live-journal.ts'
import { formatHash, parseHash } from '../kit/navigation.tsx'
import { Layout } from './layout.tsx'
import { storeToken, TokenForm } from './token.tsx'

interface AppProps {
  /** Where the API begins. */
  readonly url: string
  readonly initialToken: string | undefined
}

/** The dashboard: first the door, then what is behind it. */
export function App({ url, initialToken }: AppProps) {
  const [token, setToken] = useState(initialToken)
  const root = useMemo(() => connect(url, token === undefined ? {} : { token }), [url, token])
  // Health is told to anyone, and so opens no door.
  const { value, error, reload } = useLoad(() => root.clock.read(), [root])
  const isClosed = (error as { status?: number } | null)?.status === 401
  if (isClosed) {
    const enter = (given: string) => {
      storeToken(given, sessionStorage)
      setToken(given)
    }
    return <TokenForm isRejected={token !== undefined} onSubmit={enter} />
  }
  if (error && !value) {
    return (
      <main class="door">
        <ErrorMessage error={error} onRetry={reload} />
      </main>
    )
  }
  return <ConnectedApp root={root} token={token} />
}

function ConnectedApp({ root, token }: { root: Remote; token: string | undefined }) {
  const [route, setRoute] = useState(() => parseHash(location.hash))
  useEffect(() => {
    const follow = () => setRoute(parseHash(location.hash))
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  const { sandbox } = route
  const notices = useMemo(() => new Notifications(), [])
  const place = useMemo((): Dashboard => {
    const own = `${root.url}/__sandbox/${encodeURIComponent(sandbox ?? '')}`
    const options = token === undefined ? {} : { token }
    const remote = sandbox === null ? root : connect(own, options)
    const journal = new LiveJournal(remote)
    return {
      server: root,
      remote,
      sandbox,
      journal,
      notices,
      link: (...path) => formatHash(path, sandbox),
    }
  }, [root, sandbox])
  useEffect(() => {
    place.journal.follow()
    return () => place.journal.close()
  }, [place])
  return (
    <DashboardContext.Provider value={place}>
      <Layout route={route} />
      <NotificationBar notices={notices} />
    </DashboardContext.Provider>
  )
}
