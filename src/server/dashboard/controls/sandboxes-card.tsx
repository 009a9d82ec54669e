import { useState } from 'preact/hooks'
import type { SandboxInfo } from '../../../sandbox/sandboxes/sandboxes.ts'
import { useAction, useDashboard } from '../kit/context.ts'
import { copyText } from '../kit/copy-download.ts'
import { ErrorMessage, Section } from '../kit/feedback.tsx'
import { Button, Input, onSubmit } from '../kit/fields.tsx'
import { formatCount, formatDateTime } from '../kit/format.ts'
import { useLoad } from '../kit/hooks.ts'
import { formatHash } from '../kit/navigation.ts'

/** Creates, opens and deletes sandboxes: isolated worlds on the same server. */
export function SandboxesCard() {
  const { server } = useDashboard()
  const { value = [], error, reload } = useLoad(() => server.sandboxes.list(), [server])
  return (
    <Section class="card" title="Sandboxes">
      {error && <ErrorMessage error={error} onRetry={reload} />}
      <NewSandbox onCreate={reload} />
      {value.length === 0 && <p class="dim">No sandboxes yet.</p>}
      <ul class="plain items">
        {value.map((sandbox) => (
          <SandboxItem key={sandbox.id} sandbox={sandbox} onDelete={reload} />
        ))}
      </ul>
    </Section>
  )
}

function NewSandbox({ onCreate }: { onCreate: () => void }) {
  const { server } = useDashboard()
  const [from, setFrom] = useState('')
  const [seconds, setSeconds] = useState('')
  const run = useAction(onCreate)
  const request = {
    ...(from !== '' && { from }),
    ...(seconds !== '' && { ttl_s: Number(seconds) }),
  }
  const create = () => run('Sandbox created.', () => server.sandboxes.create(request))
  return (
    <form class="fields" onSubmit={onSubmit(create)}>
      <Input
        label="Start from a world, a snapshot or a sandbox"
        placeholder="e.g. default"
        value={from}
        onChange={setFrom}
      />
      <Input
        label="Lifetime in seconds"
        type="number"
        min={1}
        placeholder="no expiry"
        value={seconds}
        onChange={setSeconds}
      />
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
            <li key={value} class="row">
              <code>{value}</code> <span class="dim">{label}</span>
              <Button
                class="quiet"
                row={value}
                onClick={() => run(`Copied ${value}.`, () => copyText(value))}
              >
                Copy
              </Button>
            </li>
          ))}
        </ul>
      </details>
      <div class="row">
        <a class="button" href={formatHash(['requests'], id)}>
          Open {id}
        </a>
        <Button
          row={id}
          onClick={() => run(`Sandbox ${id} deleted.`, () => server.sandboxes.delete(id))}
        >
          Delete
        </Button>
      </div>
    </li>
  )
}
