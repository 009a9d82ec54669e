import { render } from 'preact'
import { useState } from 'preact/hooks'
import { Connection } from '../admin/connection.ts'
import { decodePart } from '../utils/text.ts'
import { Dashboard } from './dashboard.tsx'
import { Input } from './kit.tsx'
import { Mark } from './layout.tsx'
import { pageAddress } from './route.ts'

// The page of a server, at `/__admin/`.

const tokenItem = 'understudy-token'

/** @param props.isRejected whether the server refused the token that this tab has */
function TokenForm({ isRejected }: { isRejected: boolean }) {
  const [token, setToken] = useState('')
  const enter = (event: SubmitEvent) => {
    event.preventDefault()
    sessionStorage.setItem(tokenItem, token.trim())
    location.reload()
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
        {isRejected && 'This is not the token that the server was started with.'}
      </p>
    </main>
  )
}

/** Keeps the token of a link such as `/__admin/#token=secret` out of the address. */
function takeToken() {
  const token = /^#token=(.+)$/.exec(location.hash)?.[1]
  if (token === undefined) return
  sessionStorage.setItem(tokenItem, decodePart(token))
  history.replaceState(null, '', `${location.pathname}${location.search}#/`)
}

function start() {
  takeToken()
  // In a tab that shows the page already, a link with a token changes the hash only.
  addEventListener('hashchange', () => location.hash.startsWith('#token=') && location.reload())
  // A reverse proxy may serve everything below a path prefix.
  const url = location.origin + location.pathname.replace(/\/__admin\/.*$/, '')
  const token = sessionStorage.getItem(tokenItem) ?? undefined
  // The page is of this server, so that its first request is already one for data.
  const connection = new Connection(url, token, Promise.resolve())
  const locked = <TokenForm isRejected={token !== undefined} />
  render(
    <Dashboard {...{ connection, locked }} address={pageAddress} isInPage={false} />,
    document.getElementById('app') as HTMLElement,
  )
}

start()
