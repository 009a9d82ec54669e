import { useEffect, useState } from 'preact/hooks'
import { repeat } from '../utils/wait.ts'
import type { FixtureName } from '../world/load/load-world.ts'
import { useApp, useLive } from './app.ts'
import { formatTime } from './format.ts'
import { ActionButton, CodeLine, Form, Input, Select } from './kit.tsx'
import { Card, ListItem } from './layout.tsx'
import { formatHash } from './route.ts'

export function StateView() {
  return (
    <div class="cards">
      <div>
        <ClockCard />
        <WorldCard />
      </div>
      <div>
        <SandboxesCard />
      </div>
    </div>
  )
}

const modes = { frozen: 'frozen', ticking: 'running', real: 'real time' } as const

function ClockCard() {
  const { clock } = useApp().remote
  const { clock: reading } = useLive()
  const [time, setTime] = useState('')
  const set = () => clock.set(`${time}Z`).then(() => `The clock is frozen at ${time}.`)
  const mode = (label: string, name: keyof typeof modes, work: () => Promise<unknown>) => (
    <ActionButton
      label={label}
      aria-pressed={reading?.mode === name}
      work={() => work().then(() => `The clock: ${modes[name]}.`)}
    />
  )
  const advance = (unit: 'minutes' | 'hours' | 'days') => (
    <ActionButton
      label={`+1 ${unit.slice(0, -1)}`}
      work={() => clock.advance({ [unit]: 1 }).then(() => 'The clock is advanced.')}
    />
  )
  return (
    <Card title="Clock">
      <p>
        <ClockTime /> {reading && <span class="tag">{modes[reading.mode]}</span>}
      </p>
      <div class="row">
        {mode('Freeze', 'frozen', () => clock.freeze())}
        {mode('Run from here', 'ticking', () => clock.tick())}
        {mode('Real time', 'real', () => clock.release())}
      </div>
      <div class="row">
        {advance('minutes')}
        {advance('hours')}
        {advance('days')}
      </div>
      <Form isRow save={set} submitLabel="Set">
        <Input
          label="Freeze at (UTC)"
          type="datetime-local"
          step={1}
          required
          value={time}
          onChange={setTime}
        />
      </Form>
    </Card>
  )
}

function ClockTime() {
  const { clock, readAt } = useLive()
  const [, redraw] = useState({})
  useEffect(() => repeat(1_000, () => redraw({})), [])
  if (!clock) return null
  const passed = clock.mode === 'frozen' ? 0 : performance.now() - readAt
  const now = new Date(Date.parse(clock.now) + passed).toISOString()
  return <time dateTime={now}>{formatTime(now, 'second')} UTC</time>
}

const fixtures: readonly FixtureName[] = ['default', 'empty', 'odd', 'crowded']

function WorldCard() {
  const { world, reset } = useApp().remote
  const [fixture, setFixture] = useState<string>('default')
  const load = () =>
    world.replace(fixture as FixtureName).then(() => `The world ${fixture} is loaded.`)
  return (
    <Card title="World">
      <p class="dim">
        Reset restores settings, clock and faults of the start, and rows and keys of the loaded
        world.
      </p>
      <div class="row">
        <ActionButton
          label="Reset"
          loss="Reset the world? All changes are lost. Requests stay."
          work={() => reset().then(() => 'The world is reset.')}
        />
      </div>
      <p class="dim">Another world replaces all rows and keys. Reset then returns to it.</p>
      <Form isRow save={load} submitLabel="Load">
        <Select label="World" options={fixtures} value={fixture} onChange={setFixture} />
      </Form>
    </Card>
  )
}

function SandboxesCard() {
  const { server } = useApp()
  const { sandboxes } = useLive()
  const create = () => server.sandboxes.create().then(({ id }) => `The sandbox ${id} is created.`)
  return (
    <Card title="Sandboxes" actions={<ActionButton label="New sandbox" work={create} />}>
      {sandboxes.length === 0 && (
        <p class="dim">
          No sandboxes. Each is a world of its own, with its own keys, such as for one test.
        </p>
      )}
      <ul class="plain items">
        {sandboxes.map(({ id, name, url, expires_at }) => (
          <ListItem
            key={id}
            name={id}
            info={[name, expires_at && `ends ${formatTime(expires_at, 'second')}`]
              .filter(Boolean)
              .join(', ')}
            actions={
              <>
                <a class="button" href={formatHash([], id)} aria-label={`Open ${id}`}>
                  Open
                </a>
                <ActionButton
                  {...{ label: 'Delete', row: id }}
                  loss={`Delete ${id}? Its rows are lost, and requests with its keys are refused.`}
                  work={() => server.sandboxes.delete(id).then(() => `Deleted ${id}.`)}
                />
              </>
            }
          >
            <CodeLine text={url} name={`the base URL of ${id}`} />
          </ListItem>
        ))}
      </ul>
    </Card>
  )
}
