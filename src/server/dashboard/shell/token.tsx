import { useState } from 'preact/hooks'

interface TokenFormProps {
  /** Whether one was tried that is not it. */
  readonly isRejected: boolean
  readonly onSubmit: (token: string) => void
}

/** The door of a server that was started with a token. */
export function TokenForm({ isRejected, onSubmit }: TokenFormProps) {
  const [token, setToken] = useState('')
  const enter = (event: SubmitEvent) => {
    event.preventDefault()
    onSubmit(token.trim())
  }
  return (
    <main class="door">
      <h1>Understudy</h1>
      <form onSubmit={enter}>
        <p>
          This server asks for the token it was started with. This tab keeps it until it is closed.
        </p>
        <label>
          Token
          <input
            type="password"
            autocomplete="off"
            required
            aria-invalid={isRejected}
            aria-describedby="wrong-token"
            value={token}
            onInput={({ currentTarget }) => setToken(currentTarget.value)}
          />
        </label>
        <p id="wrong-token" class="bad" role="alert">
          {isRejected &&
            'The server does not take this token. Look at its --token, or UNDERSTUDY_TOKEN.'}
        </p>
        <button type="submit" class="primary">
          Enter
        </button>
      </form>
    </main>
  )
}

const storageKey = 'understudy-token'

/**
 * The token that the control API asks for: from `#token=…` in the address, whence it is taken away, or from before
 * in this tab. It is kept no longer than the tab is open.
 */
export function readToken(page: Location, history: History, storage: Storage): string | undefined {
  const given = /^#token=(.+)$/.exec(page.hash)?.[1]
  if (given !== undefined) {
    storage.setItem(storageKey, decodeURIComponent(given))
    history.replaceState(null, '', `${page.pathname}${page.search}#/`)
  }
  return storage.getItem(storageKey) ?? undefined
}

/** Keeps a token for this tab. */
export function storeToken(token: string, storage: Storage): void {
  storage.setItem(storageKey, token)
}
