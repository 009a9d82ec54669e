import type { Duration } from '../../../world/clock/duration.ts'
import { useDashboard, useLiveState } from '../kit/context.ts'
import { DateTimeField, Input, Select, useFields } from '../kit/fields.tsx'
import { RowForm, useActionButton } from '../kit/form.tsx'
import { formatCount, formatDateTime } from '../kit/format.ts'
import { ErrorMessage, Section } from '../kit/panels.tsx'
import { useEverySecond } from '../kit/store.ts'

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

export function ClockCard() {
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
