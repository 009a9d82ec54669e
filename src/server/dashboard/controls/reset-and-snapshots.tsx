import { useState } from 'preact/hooks'
import type { SnapshotInfo } from '../../../sandbox/snapshots.ts'
import { useAction, useDashboard } from '../kit/context.ts'
import { downloadJson } from '../kit/copy-download.ts'
import { ErrorMessage, Section } from '../kit/feedback.tsx'
import { Button, Input, onSubmit } from '../kit/fields.tsx'
import { formatCount, formatDateTime } from '../kit/format.ts'
import { useLoad } from '../kit/hooks.ts'

export function ResetCard() {
  const { remote } = useDashboard()
  const run = useAction()
  const download = async () => downloadJson('world.json', await remote.world.read())
  return (
    <Section class="card" title="World data">
      <p class="dim">Reset restores the initial rows; policies, clock, faults and journal stay.</p>
      <div class="row">
        <Button onClick={() => run('World data reset.', () => remote.reset())}>Reset</Button>
        <Button onClick={() => run('Downloaded world.json.', download)}>Download world file</Button>
      </div>
    </Section>
  )
}

export function SnapshotsCard() {
  const { remote } = useDashboard()
  const { value = [], error, reload } = useLoad(() => remote.snapshots.list(), [remote])
  const [name, setName] = useState('')
  const run = useAction(reload)
  const save = () =>
    run(`Snapshot ${name} saved.`, async () => {
      await remote.snapshots.save(name)
      setName('')
    })
  return (
    <Section class="card" title="Snapshots">
      {error && <ErrorMessage error={error} onRetry={reload} />}
      <form class="row" onSubmit={onSubmit(save)}>
        <Input
          label="Snapshot name"
          hideLabel
          class="grow"
          required
          pattern="[\w\-]{1,100}"
          title="Use 1 to 100 letters, digits, hyphens or underscores."
          placeholder="Name"
          value={name}
          onChange={setName}
        />
        <button type="submit">Save snapshot</button>
      </form>
      {value.length === 0 && <p class="dim">No snapshots yet.</p>}
      <ul class="plain items">
        {value.map((snapshot) => (
          <SnapshotItem key={snapshot.name} snapshot={snapshot} onChange={reload} />
        ))}
      </ul>
    </Section>
  )
}

function SnapshotItem({ snapshot, onChange }: { snapshot: SnapshotInfo; onChange: () => void }) {
  const { snapshots } = useDashboard().remote
  const run = useAction(onChange)
  const { name, saved_at, rows } = snapshot
  const download = async () => downloadJson(`${name}.json`, await snapshots.get(name))
  const button = (label: string, success: string, work: () => Promise<unknown>) => (
    <Button row={name} onClick={() => run(success, work)}>
      {label}
    </Button>
  )
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
        {button('Restore', `Snapshot ${name} restored.`, () => snapshots.restore(name))}
        {button('Download', `Downloaded ${name}.json.`, download)}
        {button('Delete', `Snapshot ${name} deleted.`, () => snapshots.delete(name))}
      </div>
    </li>
  )
}
