import { useState } from 'preact/hooks'
import type { SnapshotInfo } from '../../../sandbox/snapshots.ts'
import { useAction, useDashboard } from '../kit/context.ts'
import { downloadJson } from '../kit/copy-download.ts'
import { ErrorMessage } from '../kit/feedback.tsx'
import { formatCount, formatDateTime } from '../kit/format.ts'
import { useLoad } from '../kit/hooks.ts'

/** Resets the rows of the world, or downloads them. */
export function ResetCard() {
  const { remote } = useDashboard()
  const run = useAction()
  const download = async () => downloadJson('world.json', await remote.world.read())
  return (
    <section class="card" aria-labelledby="world-data-title">
      <h2 id="world-data-title">World data</h2>
      <p class="dim">
        Reset restores the initial rows; policies, clock, faults and journal are kept.
      </p>
      <div class="row">
        <button type="button" onClick={() => run('World data reset.', () => remote.reset())}>
          Reset
        </button>
        <button type="button" onClick={() => run('Downloaded world.json.', download)}>
          Download world file
        </button>
      </div>
    </section>
  )
}

/** Saves, restores and deletes snapshots of the rows. */
export function SnapshotsCard() {
  const { remote } = useDashboard()
  const { value = [], error, reload } = useLoad(() => remote.snapshots.list(), [remote])
  const [name, setName] = useState('')
  const run = useAction(reload)
  const save = (event: SubmitEvent) => {
    event.preventDefault()
    return run(`Snapshot ${name} saved.`, async () => {
      await remote.snapshots.save(name)
      setName('')
    })
  }
  return (
    <section class="card" aria-labelledby="snapshots-title">
      <h2 id="snapshots-title">Snapshots</h2>
      {error && <ErrorMessage error={error} onRetry={reload} />}
      <form class="row" onSubmit={save}>
        <label class="grow">
          <span class="visually-hidden">Snapshot name</span>
          <input
            required
            pattern="[\w\-]{1,100}"
            title="Use 1 to 100 letters, digits, hyphens or underscores."
            placeholder="Name"
            value={name}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
        </label>
        <button type="submit">Save snapshot</button>
      </form>
      {value.length === 0 && <p class="dim">No snapshots yet.</p>}
      <ul class="plain items">
        {value.map((snapshot) => (
          <SnapshotItem key={snapshot.name} snapshot={snapshot} onChange={reload} />
        ))}
      </ul>
    </section>
  )
}

function SnapshotItem({ snapshot, onChange }: { snapshot: SnapshotInfo; onChange: () => void }) {
  const { snapshots } = useDashboard().remote
  const run = useAction(onChange)
  const { name, saved_at, rows } = snapshot
  const restore = () => run(`Snapshot ${name} restored.`, () => snapshots.restore(name))
  const download = () =>
    run(`Downloaded ${name}.json.`, async () =>
      downloadJson(`${name}.json`, await snapshots.get(name)),
    )
  const remove = () => run(`Snapshot ${name} deleted.`, () => snapshots.delete(name))
  return (
    <li>
      <p>
        <strong>{name}</strong>{' '}
        <span class="dim">
          {formatDateTime(saved_at, 'second')}, {formatCount(rows.annotations ?? 0, 'annotation')},{' '}
          {formatCount(rows.plugins ?? 0, 'plugin')}
        </span>
      </p>
      <div class="row">
        <button type="button" aria-label={`Restore ${name}`} onClick={restore}>
          Restore
        </button>
        <button type="button" aria-label={`Download ${name}`} onClick={download}>
          Download
        </button>
        <button type="button" aria-label={`Delete ${name}`} onClick={remove}>
          Delete
        </button>
      </div>
    </li>
  )
}
