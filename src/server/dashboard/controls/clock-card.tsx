import { useState } from 'preact/hooks'
import type { Duration } from '../../../world/clock/clock.ts'
import { useAction, useDashboard } from '../kit/context.ts'
import { ErrorMessage, Section } from '../kit/feedback.tsx'
import { Button, Input, onSubmit, Select } from '../kit/fields.tsx'
import { formatCount, formatDateTime } from '../kit/format.ts'
import { useLoad, useStore } from '../kit/hooks.ts'

const clockModeLabels = {
  real: 'real time',
  frozen: 'frozen',
  ticking: 'running from a set time',
}

export function ClockCard() {
  const { remote, journal } = useDashboard()
  const { entriesVersion } = useStore(journal)
  const { value, error, reload } = useLoad(() => remote.clock.read(), [remote, entriesVersion])
  const run = useAction(reload)
  const { clock } = remote
  return (
    <Section class="card" title="Clock">
      {error && <ErrorMessage error={error} onRetry={reload} />}
      {value && (
        <p>
          <time dateTime={value.now}>{formatDateTime(value.now, 'second')} UTC</time>{' '}
          <span class="tag">{clockModeLabels[value.mode]}</span>
        </p>
      )}
      <div class="row">
        <Button onClick={() => run('Clock frozen.', () => clock.freeze())}>Freeze</Button>
        <Button onClick={() => run('Clock running.', () => clock.tick())}>Run from here</Button>
        <Button onClick={() => run('Clock set to real time.', () => clock.release())}>
          Real time
        </Button>
        <Button class="quiet" onClick={reload}>
          Refresh
        </Button>
      </div>
      <SetTime onSet={(time) => run(`Clock frozen at ${time}.`, () => clock.set(time))} />
      <Advance
        onAdvance={(duration, text) =>
          run(`Clock advanced by ${text}.`, () => clock.advance(duration))
        }
      />
    </Section>
  )
}

function SetTime({ onSet }: { onSet: (time: string) => void }) {
  const [time, setTime] = useState('')
  return (
    <form class="row" onSubmit={onSubmit(() => onSet(time))}>
      <Input
        label="Time"
        hideLabel
        class="grow"
        required
        placeholder="2024-06-01T12:00:00Z"
        value={time}
        onChange={setTime}
      />
      <button type="submit">Set</button>
    </form>
  )
}

const durationUnits = ['seconds', 'minutes', 'hours', 'days'] as const

function Advance({ onAdvance }: { onAdvance: (duration: Duration, text: string) => void }) {
  const [amount, setAmount] = useState('1')
  const [unit, setUnit] = useState<(typeof durationUnits)[number]>('hours')
  const number = { type: 'number', step: 'any', class: 'short' } as const
  const advance = () =>
    onAdvance({ [unit]: Number(amount) }, formatCount(Number(amount), unit.slice(0, -1), unit))
  return (
    <form class="row" onSubmit={onSubmit(advance)}>
      <Input label="Amount" hideLabel required {...number} value={amount} onChange={setAmount} />
      <Select label="Unit" hideLabel options={durationUnits} value={unit} onChange={setUnit} />
      <button type="submit">Advance</button>
    </form>
  )
}
