import { useState } from 'preact/hooks'

interface TokenFormProps {
  /** Whether the server rejected the previous token. */
  readonly isRejected: boolean
  readonly onSubmit: (token: string) => void
}

/** The form that is shown until the server accepts the token. */
export function TokenForm({ isRejected, onSubmit }: TokenFormProps) {
  const [token, setToken] = useState('')
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    onSubmit(token.trim())
  }
  return (
    <main class="token-page">
      <h1>Understudy</h1>
      <form onSubmit={submit}>
        <p>
          Enter the token this server was started with. It is remembered until you close this tab.
        </p>
        <label>
          Token
          <input
            type="password"
            autocomplete="off"
            required
            aria-invalid={isRejected}
            aria-describedby="token-error"
            value={token}
            onInput={({ currentTarget }) => setToken(currentTarget.value)}
          />
        </label>
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
