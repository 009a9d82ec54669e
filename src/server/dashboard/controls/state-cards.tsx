import type { Duration } from '../../../world/clock/duration.ts'
import type { FixtureName } from '../../../world/load/build-world.ts'
import type { WorldJson } from '../../../world/world-json.ts'
import {
  formatHash,
  maxSandboxes,
  useAction,
  useDashboard,
  useLiveState,
  useVocabulary,
  useWorldData,
  withoutEmpty,
} from '../kit/context.ts'
import { CodeLine, CopyButton, downloadJson } from '../kit/copy.tsx'
import { DateTimeField, FileButton, Input, Select, useFields } from '../kit/fields.tsx'
import { ConfirmButton, Form, parseJson, RowForm, useActionButton } from '../kit/form.tsx'
import { formatCount, formatDateTime } from '../kit/format.ts'
import { ErrorMessage, ListItem, ListSection, Section } from '../kit/panels.tsx'
import { useEverySecond } from '../kit/store.ts'

export function StateCards() {
  return (
    <div class="cards">
      <div>
        <ClockCard />
        <ResetCard />
        <LoadWorldCard />
      </div>
      <div>
        <SnapshotsCard />
        <SandboxesCard />
      </div>
    </div>
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

function SnapshotsCard() {
  const { snapshots } = useDashboard().remote
  const loaded = useWorldData((remote) => remote.snapshots.list())
  const [{ name: newName }, field, setFields] = useFields({ name: '' })
  const save = async () => {
    await snapshots.save(newName)
    setFields({ name: '' })
    return `Snapshot ${newName} saved.`
  }
  const form = (
    <RowForm save={save} submitLabel="Save snapshot">
      <Input
        {...{ label: 'Snapshot name', hideLabel: true, class: 'grow', required: true }}
        pattern="[\w\-]{1,100}"
        title="Use 1 to 100 letters, digits, hyphens or underscores."
        placeholder="Name"
        {...field('name')}
      />
    </RowForm>
  )
  return (
    <ListSection
      class="card"
      title="Snapshots"
      empty={<p class="dim">No snapshots yet. A snapshot saves all rows, to restore them later.</p>}
      {...{ loaded, form }}
    >
      {({ name, saved_at, rows }) => {
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
          <ConfirmButton
            key="delete"
            {...{ label: 'Delete', row: name, title: `Delete the snapshot ${name}?` }}
            save={() => snapshots.delete(name).then(() => `Snapshot ${name} deleted.`)}
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

function SandboxesCard() {
  const { server } = useDashboard()
  const loaded = useWorldData(async () => (await server.sandboxes.list()).slice(0, maxSandboxes))
  return (
    <ListSection
      class="card"
      title="Sandboxes"
      empty={
        <p class="dim">
          No sandboxes yet. Each is a separate world with its own URL and keys, for example for one
          test.
        </p>
      }
      loaded={loaded}
      form={
        <>
          {loaded.value?.length === maxSandboxes && (
            <p class="dim">No more than {maxSandboxes} sandboxes are listed, the oldest first.</p>
          )}
          <NewSandbox sandboxes={loaded.value ?? []} />
        </>
      }
    >
      {({ id, url, keys, expires_at, curl }) => {
        const info =
          expires_at === null ? 'no expiry' : `expires ${formatDateTime(expires_at, 'second')}`
        const actions = [
          <a key="open" class="button" href={formatHash([], id)}>
            Open {id}
          </a>,
          <ConfirmButton
            key="delete"
            {...{ label: 'Delete', row: id, title: `Delete the sandbox ${id}?` }}
            save={() => server.sandboxes.delete(id).then(() => `Sandbox ${id} deleted.`)}
          >
            Its rows are lost, and requests with its keys are refused.
          </ConfirmButton>,
        ]
        return (
          <ListItem key={id} {...{ id, info, actions }}>
            <CodeLine text={url} name={`the base URL of ${id}`} />
            {curl !== null && <CodeLine text={curl} name={`the curl command of ${id}`} />}
            <details>
              <summary>{formatCount(keys.length, 'key')}</summary>
              <ul class="plain">
                {keys.map(({ value, label }) => (
                  <li key={value} class="row">
                    <span class="dim">{label}</span> <code>{value}</code>
                    <CopyButton text={value} />
                  </li>
                ))}
              </ul>
            </details>
          </ListItem>
        )
      }}
    </ListSection>
  )
}

function NewSandbox({ sandboxes }: { sandboxes: readonly { readonly id: string }[] }) {
  const { server } = useDashboard()
  const { fixtures = [] } = useVocabulary() ?? {}
  const { value: snapshots = [], reload } = useWorldData(() => server.snapshots.list())
  const [{ from, ttl_s }, field] = useFields({ from: '', ttl_s: '' })
  const create = async () => {
    const options = withoutEmpty({ from, ttl_s: ttl_s && Number(ttl_s) })
    const { id } = await server.sandboxes.create(options)
    return `Sandbox ${id} created.`
  }
  const sources = [
    ['', 'The world of the start'] as const,
    ...fixtures.map((name) => [name, `Fixture ${name}`] as const),
    ...snapshots.map(({ name }) => [name, `Snapshot ${name}`] as const),
    ...sandboxes.map(({ id }) => [id, `Sandbox ${id}, with its policies and clock`] as const),
  ]
  const lifetime = { type: 'number', min: 1, placeholder: 'no expiry' } as const
  return (
    <Form save={create} submitLabel="New sandbox" submitClass="">
      <Select label="From" options={sources} onFocus={reload} {...field('from')} />
      <Input label="Lifetime in seconds" {...lifetime} {...field('ttl_s')} />
    </Form>
  )
}

/** Replaces the whole world, by a fixture or a file. */
function LoadWorldCard() {
  const { remote } = useDashboard()
  const { fixtures = ['default'] } = useVocabulary() ?? {}
  const [{ name }, field] = useFields({ name: 'default' })
  const run = useAction()
  const load = async (world: FixtureName | WorldJson, title: string) => {
    await remote.world.replace(world)
    return `World ${title} loaded.`
  }
  const loadFile = async (file: File) => load(parseJson(await file.text()) as WorldJson, file.name)
  return (
    <Section class="card" title="Load a world">
      <p class="dim">All rows and keys are replaced. Reset then returns to the loaded world.</p>
      <div class="row">
        <RowForm save={() => load(name as FixtureName, name)} submitLabel="Load">
          <Select label="World" hideLabel options={fixtures} {...field('name')} />
        </RowForm>
        <FileButton
          label="Load a world file…"
          accept="application/json,.json"
          onSelect={(file) => run(() => loadFile(file))}
        />
      </div>
    </Section>
  )
}

const modeLabels = {
  real: 'real time',
  frozen: 'frozen',
  ticking: 'running from a set time',
}

/** The time of the world, which runs on between two readings unless it is frozen. */
export function ClockTime() {
  const { clock, receivedAt } = useLiveState()
  useEverySecond(clock !== undefined && clock.mode !== 'frozen')
  if (!clock) return null
  const passed = clock.mode === 'frozen' ? 0 : performance.now() - receivedAt
  const now = new Date(Date.parse(clock.now) + passed).toISOString()
  return (
    <>
      <time dateTime={now}>{formatDateTime(now, 'second')} UTC</time>{' '}
      <span class="tag">{modeLabels[clock.mode]}</span>
    </>
  )
}

const durationUnits = ['seconds', 'minutes', 'hours', 'days'] as const
type DurationUnit = (typeof durationUnits)[number]

function ClockCard() {
  const { clock } = useDashboard().remote
  const { clock: reading, error, reload } = useLiveState()
  const [draft, field] = useFields({ time: '', amount: '1', unit: 'hours' as DurationUnit })
  const action = useActionButton()
  const freeze = async () => {
    await clock.set(draft.time)
    return `Clock frozen at ${formatDateTime(draft.time, 'second')}.`
  }
  const advance = async () => {
    const amount = Number(draft.amount)
    const duration: Duration = { [draft.unit]: amount }
    await clock.advance(duration)
    return `Clock advanced by ${formatCount(amount, draft.unit.slice(0, -1), draft.unit)}.`
  }
  const pressed = (mode: keyof typeof modeLabels) => ({ 'aria-pressed': reading?.mode === mode })
  return (
    <Section class="card" title="Clock">
      <ErrorMessage error={error} reload={reload} />
      <p class="clock">
        <ClockTime />
      </p>
      <div class="row">
        {action('Freeze', 'Clock frozen.', () => clock.freeze(), pressed('frozen'))}
        {action('Run from here', 'Clock running.', () => clock.tick(), pressed('ticking'))}
        {action('Real time', 'Clock set to real time.', () => clock.release(), pressed('real'))}
      </div>
      <RowForm save={freeze} submitLabel="Set">
        <DateTimeField label="Freeze at (UTC)" required {...field('time')} />
      </RowForm>
      <RowForm save={advance} submitLabel="Advance">
        <Input
          {...{ label: 'Advance by', class: 'short', required: true }}
          {...{ type: 'number', step: 'any', ...field('amount') }}
        />
        <Select label="Unit" hideLabel options={durationUnits} {...field('unit')} />
      </RowForm>
    </Section>
  )
}
