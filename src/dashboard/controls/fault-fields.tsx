import type { Words } from '../../control/list-words.ts'
import type { FaultPhase, FaultRule } from '../../faults/rule.ts'

/** A rule as it stands in the fields. */
export interface FaultDraft {
  readonly operation: string
  /** The name of an error, or one of `drop` and `delay` */
  readonly effect: string
  readonly phase: FaultPhase
  readonly milliseconds: string
  readonly times: string
}

export const emptyFaultDraft: FaultDraft = {
  operation: '',
  effect: 'server_error',
  phase: 'before',
  milliseconds: '',
  times: '',
}

/** @example ruleOf({ ...noDraft, times: '1' }) // { when: { times: 1 }, phase: 'before', effect: { error: 'server_error' } } */
export function toFaultRule({
  operation,
  effect,
  phase,
  milliseconds,
  times,
}: FaultDraft): FaultRule {
  const delay = milliseconds === '' ? {} : { delay_ms: Number(milliseconds) }
  const what = effect === 'delay' ? {} : effect === 'drop' ? { drop: true } : { error: effect }
  return {
    ...(operation !== '' && { operation }),
    ...(times !== '' && { when: { times: Number(times) } }),
    phase,
    effect: { ...what, ...delay },
  } as FaultRule
}

interface FaultFieldsProps {
  readonly words: Words | undefined
  readonly draft: FaultDraft
  readonly setDraft: (draft: FaultDraft) => void
}

/** The parts of a rule that are asked for most. */
export function FaultFields({ words, draft, setDraft }: FaultFieldsProps) {
  const field = (name: keyof FaultDraft) => ({
    value: draft[name],
    onInput: (event: Event) =>
      setDraft({ ...draft, [name]: (event.currentTarget as HTMLInputElement).value }),
  })
  return (
    <div class="side-by-side">
      <label>
        Operation
        <select {...field('operation')}>
          <option value="">Any request</option>
          {words?.operations.map(({ id }) => (
            <option key={id}>{id}</option>
          ))}
        </select>
      </label>
      <label>
        What happens
        <select {...field('effect')}>
          <option value="drop">The connection breaks</option>
          <option value="delay">A delay only</option>
          {words?.errors.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <label>
        When
        <select {...field('phase')}>
          <option value="before">before the request is carried out</option>
          <option value="after-commit">after it was carried out</option>
          <option value="mid-body">in the middle of the answer</option>
        </select>
      </label>
      <label>
        Delay in ms
        <input type="number" min={0} placeholder="none" {...field('milliseconds')} />
      </label>
      <label>
        How often
        <input type="number" min={1} placeholder="always" {...field('times')} />
      </label>
    </div>
  )
}
