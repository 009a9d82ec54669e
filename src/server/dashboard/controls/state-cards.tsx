import { useEffect, useState } from 'preact/hooks'
import { wait } from '../../../utils/wait.ts'
import type { Duration } from '../../../world/clock/duration.ts'
import { useAction, useDashboard, useLiveState } from '../kit/context.ts'
import { downloadJson } from '../kit/copy-download.ts'
import { Button, DateTimeField, Input, Select, useFields } from '../kit/fields.tsx'
import { ConfirmButton, onSubmit, useActionButton } from '../kit/form.tsx'
import { formatCount, formatDateTime } from '../kit/format.ts'
import { useLoad, useStore } from '../kit/hooks.ts'
import { ErrorMessage, ListItem, ListSection, Section } from '../kit/panels.tsx'
import { SandboxesCard } from './sandboxes-card.tsx'

export function StateCards() {
  return (
    <div class="cards">
      <ClockCard />
      <ResetCard />
      <SnapshotsCard />
      <SandboxesCard />
    </div>
  )
}

const clockModeLabels = {
  real: 'real time',
  frozen: 'frozen',
  ticking: 'running from a set time',
}
const durationUnits = ['seconds', 'minutes', 'hours', 'days'] as const

function ClockCard() {
  const { clock } = useDashboard().remote
  const { clock: reading, error, refresh } = useLiveState()
  const [{ amount, unit }, field] = useFields({
    amount: '1',
    unit: 'hours' as (typeof durationUnits)[number],
  })
  const [time, setTime] = useState('')
  const run = useAction()
  const action = useActionButton()
  const advance = () => {
    const duration: Duration = { [unit]: Number(amount) }
    const text = formatCount(Number(amount), unit.slice(0, -1), unit)
    return run(`Clock advanced by ${text}.`, () => clock.advance(duration))
  }
  return (
    <Section class="card" title="Clock">
      {error && <ErrorMessage error={error} onRetry={refresh} />}
      {reading && (
        <p>
          <time dateTime={reading.now}>{formatDateTime(reading.now, 'second')} UTC</time>{' '}
          <span class="tag">{clockModeLabels[reading.mode]}</span>
        </p>
      )}
      <div class="row">
        {action('Freeze', 'Clock frozen.', () => clock.freeze())}
        {action('Run from here', 'Clock running.', () => clock.tick())}
        {action('Real time', 'Clock set to real time.', () => clock.release())}
        <Button class="quiet" onClick={refresh}>
          Refresh
        </Button>
      </div>
      <form
        class="row"
        onSubmit={onSubmit(() => run(`Clock frozen at ${time}.`, () => clock.set(time)))}
      >
        <DateTimeField label="Freeze at (UTC)" required value={time} onChange={setTime} />
        <button type="submit">Set</button>
      </form>
      <form class="row" onSubmit={onSubmit(advance)}>
        <Input
          {...{ label: 'Advance by', class: 'short', required: true }}
          {...{ type: 'number', step: 'any', ...field('amount') }}
        />
        <Select label="Unit" hideLabel options={durationUnits} {...field('unit')} />
        <button type="submit">Advance</button>
      </form>
    </Section>
  )
}

function ResetCard() {
  const { remote } = useDashboard()
  const action = useActionButton()
  const download = async () => downloadJson('world.json', await remote.world.read())
  return (
    <Section class="card" title="World data">
      <p class="dim">
        Reset restores the initial rows, policies, clock and faults. Snapshots and journal stay.
      </p>
      <SavedState />
      <div class="row">
        <ConfirmButton
          {...{ label: 'Reset', title: 'Reset everything?' }}
          save={() => remote.reset().then(() => 'Everything is reset.')}
        >
          All changes since the start are lost. To keep the rows, save a snapshot first.
        </ConfirmButton>
        {action('Download world file', 'Downloaded world.json.', download)}
      </div>
    </Section>
  )
}

const persistenceLabels = {
  saved: 'All changes are in the state file.',
  unsaved: 'Unsaved changes. They are saved soon.',
  failing: 'Unsaved changes: the state file cannot be written. Saving is tried again.',
}

/** Whether the changes of a server with a state file are saved. */
function SavedState() {
  const { server, journal } = useDashboard()
  const { entriesVersion } = useStore(journal)
  const { value, reload } = useLoad(() => server.health(), [server, entriesVersion])
  useEffect(() => {
    if (value?.persistence !== 'saved' && value?.persistence) void wait(1_000).then(reload)
  }, [value])
  if (!value?.persistence) return null
  const tone = value.persistence === 'failing' ? 'bad' : 'dim'
  return <p class={tone}>{persistenceLabels[value.persistence]}</p>
}

function SnapshotsCard() {
  const { snapshots } = useDashboard().remote
  const loaded = useLoad(() => snapshots.list(), [snapshots])
  const [newName, setNewName] = useState('')
  const run = useAction(loaded.reload)
  const action = useActionButton(loaded.reload)
  const save = () =>
    run(`Snapshot ${newName} saved.`, async () => {
      await snapshots.save(newName)
      setNewName('')
    })
  const form = (
    <form class="row" onSubmit={onSubmit(save)}>
      <Input
        {...{ label: 'Snapshot name', hideLabel: true, class: 'grow', required: true }}
        pattern="[\w\-]{1,100}"
        title="Use 1 to 100 letters, digits, hyphens or underscores."
        placeholder="Name"
        value={newName}
        onChange={setNewName}
      />
      <button type="submit">Save snapshot</button>
    </form>
  )
  return (
    <ListSection
      class="card"
      title="Snapshots"
      empty="No snapshots yet. A snapshot saves all rows, to restore them later."
      {...{ loaded, form }}
    >
      {({ name, saved_at, rows }) => {
        const download = async () => downloadJson(`${name}.json`, await snapshots.get(name))
        const time = formatDateTime(saved_at, 'second')
        const annotations = formatCount(rows.annotations ?? 0, 'annotation')
        const actions = [
          <ConfirmButton
            key="restore"
            {...{ label: 'Restore', row: name, title: `Restore the snapshot ${name}?` }}
            save={() => snapshots.restore(name).then(() => `Snapshot ${name} restored.`)}
          >
            It replaces all rows. Changes since the snapshot are lost.
          </ConfirmButton>,
          action('Download', `Downloaded ${name}.json.`, download, { row: name }),
          <ConfirmButton
            key="delete"
            {...{ label: 'Delete', row: name, title: `Delete the snapshot ${name}?` }}
            save={() => snapshots.delete(name).then(() => `Snapshot ${name} deleted.`)}
            onDone={loaded.reload}
          >
            Its rows are lost.
          </ConfirmButton>,
        ]
        const info = `${time}, ${annotations}, ${formatCount(rows.plugins ?? 0, 'plugin')}`
        return <ListItem key={name} id={name} {...{ info, actions }} />
      }}
    </ListSection>
  )
}
