import { useState } from 'preact/hooks'
import type { Duration } from '../../../world/clock/time.ts'
import { useAction, useDashboard } from '../kit/context.ts'
import { ErrorMessage } from '../kit/feedback.tsx'
import { useLoad, useStore } from '../kit/hooks.ts'

const durationUnits: readonly (keyof Duration)[] = ['seconds', 'minutes', 'hours', 'days']
const clockModeLabels = {
  real: 'the real time',
  frozen: 'stands still',
  ticking: 'runs on from there',
}

/** What time the world thinks it is. */
export function ClockCard() {
  const { remote, journal } = useDashboard()
  const { entriesVersion } = useStore(journal)
  const { value, error, reload } = useLoad(() => remote.clock.read(), [remote, entriesVersion])
  const act = useAction()
  const turn = async (done: string, work: () => Promise<unknown>) => {
    if (await act(done, work)) reload()
  }
  const { clock } = remote
  return (
    <section class="card" aria-labelledby="clock-title">
      <h2 id="clock-title">Clock</h2>
      {error && <ErrorMessage error={error} onRetry={reload} />}
      {value && (
        <p>
          <time dateTime={value.now}>{value.now.replace('T', ' ').replace('Z', ' UTC')}</time>{' '}
          <span class="tag">{clockModeLabels[value.mode]}</span>
        </p>
      )}
      <div class="row">
        <button type="button" onClick={() => turn('The clock stands still.', () => clock.freeze())}>
          Freeze
        </button>
        <button type="button" onClick={() => turn('The clock runs.', () => clock.tick())}>
          Let it run
        </button>
        <button
          type="button"
          onClick={() => turn('The clock shows the real time.', () => clock.release())}
        >
          Real time
        </button>
        <button type="button" class="quiet" onClick={reload}>
          Look again
        </button>
      </div>
      <SetTime onSet={(time) => turn(`The clock stands at ${time}.`, () => clock.set(time))} />
      <Advance
        onAdvance={(by, text) =>
          turn(`The clock was moved on by ${text}.`, () => clock.advance(by))
        }
      />
    </section>
  )
}

function SetTime({ onSet }: { onSet: (time: string) => void }) {
  const [time, setTime] = useState('')
  const set = (event: SubmitEvent) => {
    event.preventDefault()
    onSet(time)
  }
  return (
    <form class="row" onSubmit={set}>
      <label class="grow">
        <span class="unseen">Time</span>
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

function Advance({ onAdvance }: { onAdvance: (by: Duration, text: string) => void }) {
  const [amount, setAmount] = useState(1)
  const [unit, setUnit] = useState<keyof Duration>('hours')
  const advance = (event: SubmitEvent) => {
    event.preventDefault()
    onAdvance({ [unit]: amount }, `${amount} ${unit}`)
  }
  return (
    <form class="row" onSubmit={advance}>
      <label>
        <span class="unseen">How much</span>
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
        <span class="unseen">Unit</span>
        <select
          value={unit}
          onChange={({ currentTarget }) => setUnit(currentTarget.value as keyof Duration)}
        >
          {durationUnits.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </label>
      <button type="submit">Move on</button>
    </form>
  )
}
