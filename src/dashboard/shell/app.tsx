import { useEffect, useMemo, useState } from 'preact/hooks'
import { connect } from '../../remote/connect.ts'
import type { Remote } from '../../remote/remote.ts'
import { NoticeBar, Notices } from '../kit/notices.tsx'
import { type Place, PlaceContext } from '../kit/place.ts'
import { Problem } from '../kit/states.tsx'
import { useLoad } from '../kit/use-load.ts'
import { LiveJournal } from '../requests/live-journal.ts'
import { AskToken } from './ask-token.tsx'
import { Frame } from './frame.tsx'
import { readRoute, toHash } from './route.ts'
import { keepToken } from './token.ts'

interface AppProps {
  /** Where the API begins. */
  readonly url: string
  readonly givenToken: string | undefined
}

/** The dashboard: first the door, then what is behind it. */
export function App({ url, givenToken }: AppProps) {
  const [token, setToken] = useState(givenToken)
  const root = useMemo(() => connect(url, token === undefined ? {} : { token }), [url, token])
  // Health is told to anyone, and so opens no door.
  const { value, error, reload } = useLoad(() => root.clock.read(), [root])
  const isClosed = (error as { status?: number } | null)?.status === 401
  if (isClosed) {
    const enter = (given: string) => {
      keepToken(given, sessionStorage)
      setToken(given)
    }
    return <AskToken isWrong={token !== undefined} onEnter={enter} />
  }
  if (error && !value) {
    return (
      <main class="door">
        <Problem error={error} onRetry={reload} />
      </main>
    )
  }
  return <Inside root={root} token={token} />
}

function Inside({ root, token }: { root: Remote; token: string | undefined }) {
  const [route, setRoute] = useState(() => readRoute(location.hash))
  useEffect(() => {
    const follow = () => setRoute(readRoute(location.hash))
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  const { sandbox } = route
  const notices = useMemo(() => new Notices(), [])
  const place = useMemo((): Place => {
    const own = `${root.url}/__sandbox/${encodeURIComponent(sandbox ?? '')}`
    const options = token === undefined ? {} : { token }
    const remote = sandbox === null ? root : connect(own, options)
    const journal = new LiveJournal(remote)
    return { root, remote, sandbox, journal, notices, link: (...path) => toHash(path, sandbox) }
  }, [root, sandbox])
  useEffect(() => {
    place.journal.follow()
    return () => place.journal.end()
  }, [place])
  return (
    <PlaceContext.Provider value={place}>
      <Frame route={route} />
      <NoticeBar notices={notices} />
    </PlaceContext.Provider>
  )
}
