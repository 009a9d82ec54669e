import { useState } from 'preact/hooks'
import type { SandboxInfo } from '../../../sandbox/sandboxes/sandboxes.ts'
import { useAction, useDashboard } from '../kit/context.ts'
import { copyText } from '../kit/copy-download.ts'
import { ErrorMessage } from '../kit/feedback.tsx'
import { formatCount, formatDateTime } from '../kit/format.ts'
import { useLoad } from '../kit/hooks.ts'
import { formatHash } from '../kit/navigation.tsx'

/** Creates, opens and deletes sandboxes: isolated worlds on the same server. */
export function SandboxesCard() {
  const { server } = useDashboard()
  const { value = [], error, reload } = useLoad(() => server.sandboxes.list(), [server])
  return (
    <section class="card" aria-labelledby="sandboxes-title">
      <h2 id="sandboxes-title">Sandboxes</h2>
      {error && <ErrorMessage error={error} onRetry={reload} />}
      <NewSandbox onCreate={reload} />
      {value.length === 0 && <p class="dim">No sandboxes yet.</p>}
      <ul class="plain items">
        {value.map((sandbox) => (
          <SandboxItem key={sandbox.id} sandbox={sandbox} onDelete={reload} />
        ))}
      </ul>
    </section>
  )
}

function NewSandbox({ onCreate }: { onCreate: () => void }) {
  const { server } = useDashboard()
  const [from, setFrom] = useState('')
  const [seconds, setSeconds] = useState('')
  const run = useAction(onCreate)
  const create = (event: SubmitEvent) => {
    event.preventDefault()
    const request = {
      ...(from !== '' && { from }),
      ...(seconds !== '' && { ttl_s: Number(seconds) }),
    }
    return run('Sandbox created.', () => server.sandboxes.create(request))
  }
  return (
    <form class="fields" onSubmit={create}>
      <label>
        Start from a world, a snapshot or a sandbox
        <input
          placeholder="e.g. default"
          value={from}
          onInput={({ currentTarget }) => setFrom(currentTarget.value)}
        />
      </label>
      <label>
        Lifetime in seconds
        <input
          type="number"
          min={1}
          placeholder="no expiry"
          value={seconds}
          onInput={({ currentTarget }) => setSeconds(currentTarget.value)}
        />
      </label>
      <button type="submit">New sandbox</button>
    </form>
  )
}

function SandboxItem({ sandbox, onDelete }: { sandbox: SandboxInfo; onDelete: () => void }) {
  const { server } = useDashboard()
  const run = useAction(onDelete)
  const { id, url, keys, expires_at } = sandbox
  return (
    <li>
      <p>
        <strong>{id}</strong>{' '}
        <span class="dim">
          {expires_at === null ? 'no expiry' : `expires ${formatDateTime(expires_at, 'second')}`}
        </span>
      </p>
      <p class="long-text">
        <code>{url}</code>
      </p>
      <details>
        <summary>{formatCount(keys.length, 'key')}</summary>
        <ul class="plain">
          {keys.map(({ value, label }) => (
            <SandboxKey key={value} value={value} label={label} />
          ))}
        </ul>
      </details>
      <div class="row">
        <a class="button" href={formatHash(['requests'], id)}>
          Open {id}
        </a>
        <button
          type="button"
          aria-label={`Delete ${id}`}
          onClick={() => run(`Sandbox ${id} deleted.`, () => server.sandboxes.delete(id))}
        >
          Delete
        </button>
      </div>
    </li>
  )
}

function SandboxKey({ value, label }: { value: string; label: string | null }) {
  const run = useAction()
  return (
    <li class="row">
      <code>{value}</code> <span class="dim">{label}</span>
      <button
        type="button"
        class="quiet"
        aria-label={`Copy ${value}`}
        onClick={() => run(`Copied ${value}.`, () => copyText(value))}
      >
        Copy
      </button>
    </li>
  )
}
