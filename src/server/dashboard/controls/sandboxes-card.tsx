import { useState } from 'preact/hooks'
import type { SandboxInfo } from '../../../sandbox/sandboxes/sandboxes.ts'
import { useAction, useDashboard } from '../kit/context.ts'
import { ErrorMessage } from '../kit/feedback.tsx'
import { useLoad } from '../kit/hooks.ts'
import { formatHash } from '../kit/navigation.tsx'

/** Isolated worlds on the same server. */
export function SandboxesCard() {
  const { server } = useDashboard()
  const { value = [], error, reload } = useLoad(() => server.sandboxes.list(), [server])
  return (
    <section class="card" aria-labelledby="sandboxes-title">
      <h2 id="sandboxes-title">Sandboxes</h2>
      {error && <ErrorMessage error={error} onRetry={reload} />}
      <NewSandbox onCreate={reload} />
      {value.length === 0 && <p class="dim">There is none.</p>}
      <ul class="plain items">
        {value.map((sandbox) => (
          <SandboxItem key={sandbox.id} sandbox={sandbox} onEnd={reload} />
        ))}
      </ul>
    </section>
  )
}

function NewSandbox({ onCreate }: { onCreate: () => void }) {
  const { server } = useDashboard()
  const [from, setFrom] = useState('')
  const [seconds, setSeconds] = useState('')
  const act = useAction()
  const create = async (event: SubmitEvent) => {
    event.preventDefault()
    const request = {
      ...(from !== '' && { from }),
      ...(seconds !== '' && { ttl_s: Number(seconds) }),
    }
    if (await act('Began a sandbox.', () => server.sandboxes.create(request))) onCreate()
  }
  return (
    <form class="row" onSubmit={create}>
      <label class="grow">
        <span class="unseen">From a fixture, a snapshot or a sandbox</span>
        <input
          placeholder="From: default …"
          value={from}
          onInput={({ currentTarget }) => setFrom(currentTarget.value)}
        />
      </label>
      <label>
        <span class="unseen">Seconds until it ends</span>
        <input
          type="number"
          class="short"
          min={1}
          placeholder="Seconds"
          value={seconds}
          onInput={({ currentTarget }) => setSeconds(currentTarget.value)}
        />
      </label>
      <button type="submit">Begin</button>
    </form>
  )
}

function SandboxItem({ sandbox, onEnd }: { sandbox: SandboxInfo; onEnd: () => void }) {
  const { server } = useDashboard()
  const act = useAction()
  const { id, url, keys, expires_at } = sandbox
  const end = async () => {
    if (await act(`Ended ${id}.`, () => server.sandboxes.delete(id))) onEnd()
  }
  return (
    <li>
      <p>
        <strong>{id}</strong>{' '}
        <span class="dim">
          {expires_at === null
            ? 'does not end by itself'
            : `ends at ${expires_at.slice(0, 19).replace('T', ' ')}`}
        </span>
      </p>
      <p class="line">
        <code>{url}</code>
      </p>
      <details>
        <summary>{keys.length} keys lead there</summary>
        <ul class="plain">
          {keys.map(({ value, label }) => (
            <li key={value}>
              <code>{value}</code> <span class="dim">{label}</span>
            </li>
          ))}
        </ul>
      </details>
      <div class="row">
        <a class="button" href={formatHash(['requests'], id)}>
          Look at {id}
        </a>
        <button type="button" aria-label={`End ${id}`} onClick={end}>
          End
        </button>
      </div>
    </li>
  )
}
