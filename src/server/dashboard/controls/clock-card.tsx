import { useState } from 'preact/hooks'
import type { Duration } from '../../../world/clock/clock.ts'
import { useAction, useDashboard } from '../kit/context.ts'
import { ErrorMessage } from '../kit/feedback.tsx'
import { formatCount, formatDateTime } from '../kit/format.ts'
import { useLoad, useStore } from '../kit/hooks.ts'

const durationUnits: readonly (keyof Duration)[] = ['seconds', 'minutes', 'hours', 'days']
const clockModeLabels = {
  real: 'real time',
  frozen: 'frozen',
  ticking: 'running from a set time',
}

/** Shows and sets the clock of the world. */
export function ClockCard() {
  const { remote, journal } = useDashboard()
  const { entriesVersion } = useStore(journal)
  const { value, error, reload } = useLoad(() => remote.clock.read(), [remote, entriesVersion])
  const run = useAction(reload)
  const { clock } = remote
  return (
    <section class="card" aria-labelledby="clock-title">
      <h2 id="clock-title">Clock</h2>
      {error && <ErrorMessage error={error} onRetry={reload} />}
      {value && (
        <p>
          <time dateTime={value.now}>{formatDateTime(value.now, 'second')} UTC</time>{' '}
          <span class="tag">{clockModeLabels[value.mode]}</span>
        </p>
      )}
      <div class="row">
        <button type="button" onClick={() => run('Clock frozen.', () => clock.freeze())}>
          Freeze
        </button>
        <button type="button" onClick={() => run('Clock running.', () => clock.tick())}>
          Run from here
        </button>
        <button type="button" onClick={() => run('Clock set to real time.', () => clock.release())}>
          Real time
        </button>
        <button type="button" class="quiet" onClick={reload}>
          Refresh
        </button>
      </div>
      <SetTime onSet={(time) => run(`Clock frozen at ${time}.`, () => clock.set(time))} />
      <Advance
        onAdvance={(duration, text) =>
          run(`Clock advanced by ${text}.`, () => clock.advance(duration))
        }
      />
    </section>
  )
}

function SetTime({ onSet }: { onSet: (time: string) => void }) {
  const [time, setTime] = useState('')
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    onSet(time)
  }
  return (
    <form class="row" onSubmit={submit}>
      <label class="grow">
        <span class="visually-hidden">Time</span>
        <input
          required
          placeholder="2024-06-01T12:00:00Z"
          value={time}
          onInput={({ currentTarget }) => setTime(currentTarget.value)}
        />
      </label>
      <button type="submit">Set</button>
    </form>
  )
}

function Advance({ onAdvance }: { onAdvance: (duration: Duration, text: string) => void }) {
  const [amount, setAmount] = useState(1)
  const [unit, setUnit] = useState<keyof Duration>('hours')
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    onAdvance({ [unit]: amount }, formatCount(amount, unit.slice(0, -1), unit))
  }
  return (
    <form class="row" onSubmit={submit}>
      <label>
        <span class="visually-hidden">Amount</span>
        <input
          type="number"
          class="short"
          required
          step="any"
          value={amount}
          onInput={({ currentTarget }) => setAmount(currentTarget.valueAsNumber)}
        />
      </label>
      <label>
        <span class="visually-hidden">Unit</span>
        <select
          value={unit}
          onChange={({ currentTarget }) => setUnit(currentTarget.value as keyof Duration)}
        >
          {durationUnits.map((option) => (
            <option key={option}>{option}</option>
          ))}
        </select>
      </label>
      <button type="submit">Advance</button>
    </form>
  )
}
