import { useState } from 'preact/hooks'
import type { SnapshotInfo } from '../../../sandbox/snapshots.ts'
import { useAction, useDashboard } from '../kit/context.ts'
import { downloadFile } from '../kit/copy-download.ts'
import { ErrorMessage } from '../kit/feedback.tsx'
import { useLoad } from '../kit/hooks.ts'

/** The rows as a whole: back to where they began, or out as a file. */
export function ResetCard() {
  const { remote } = useDashboard()
  const act = useAction()
  const save = async () => downloadFile('world.json', await remote.world.read())
  return (
    <section class="card" aria-labelledby="rows-title">
      <h2 id="rows-title">Rows</h2>
      <p class="dim">Policies, clock, faults and journal stay as they are.</p>
      <div class="row">
        <button
          type="button"
          onClick={() => act('The rows are as they began.', () => remote.reset())}
        >
          Reset
        </button>
        <button type="button" onClick={() => act('Saved as world.json.', save)}>
          Download as a fixture
        </button>
      </div>
    </section>
  )
}

/** Named states of the rows to come back to. */
export function SnapshotsCard() {
  const { remote } = useDashboard()
  const { value = [], error, reload } = useLoad(() => remote.snapshots.list(), [remote])
  const [name, setName] = useState('')
  const act = useAction()
  const save = async (event: SubmitEvent) => {
    event.preventDefault()
    if (await act(`Saved the snapshot ${name}.`, () => remote.snapshots.save(name))) {
      setName('')
      reload()
    }
  }
  return (
    <section class="card" aria-labelledby="snapshots-title">
      <h2 id="snapshots-title">Snapshots</h2>
      {error && <ErrorMessage error={error} onRetry={reload} />}
      <form class="row" onSubmit={save}>
        <label class="grow">
          <span class="unseen">Name of the snapshot</span>
          <input
            required
            pattern="[\w\-]{1,100}"
            title="1 to 100 letters, digits, - and _"
            placeholder="A name"
            value={name}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
        </label>
        <button type="submit">Save the rows</button>
      </form>
      {value.length === 0 && <p class="dim">There is none.</p>}
      <ul class="plain items">
        {value.map((snapshot) => (
          <SnapshotItem key={snapshot.name} snapshot={snapshot} onChange={reload} />
        ))}
      </ul>
    </section>
  )
}

function SnapshotItem({ snapshot, onChange }: { snapshot: SnapshotInfo; onChange: () => void }) {
  const { remote } = useDashboard()
  const act = useAction()
  const { name, saved_at, rows } = snapshot
  const { snapshots } = remote
  const restore = () => act(`The rows are as in ${name}.`, () => snapshots.restore(name))
  const download = async () => downloadFile(`${name}.json`, await snapshots.get(name))
  const remove = async () => {
    if (await act(`Deleted the snapshot ${name}.`, () => snapshots.delete(name))) onChange()
  }
  return (
    <li>
      <p>
        <strong>{name}</strong>{' '}
        <span class="dim">
          {saved_at.slice(0, 19).replace('T', ' ')}, {rows.annotations} annotations, {rows.plugins}{' '}
          plugins
        </span>
      </p>
      <div class="row">
        <button type="button" aria-label={`Restore ${name}`} onClick={restore}>
          Restore
        </button>
        <button
          type="button"
          aria-label={`Download ${name}`}
          onClick={() => act(`Saved as ${name}.json.`, download)}
        >
          Download
        </button>
        <button type="button" aria-label={`Delete ${name}`} onClick={remove}>
          Delete
        </button>
      </div>
    </li>
  )
}
