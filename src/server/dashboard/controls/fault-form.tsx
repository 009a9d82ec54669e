import { useState } from 'preact/hooks'
import type { Words } from '../../../remote/connect.ts'
import type { FaultPhase, FaultRule } from '../../../sandbox/faults/rule.ts'

interface FaultFormProps {
  readonly words: Words | undefined
  readonly onAdd: (rule: FaultRule) => Promise<boolean>
}

/** Adds a rule: by fields for what is asked for most, or as JSON for all that there is. */
export function FaultForm({ words, onAdd }: FaultFormProps) {
  const [draft, setDraft] = useState<FaultDraft>(emptyFaultDraft)
  const [text, setText] = useState<string | null>(null)
  const [mistake, setMistake] = useState('')
  const add = async (event: SubmitEvent) => {
    event.preventDefault()
    setMistake('')
    try {
      await onAdd(text === null ? toFaultRule(draft) : JSON.parse(text))
    } catch (error) {
      setMistake(
        `Failed to read the rule: expected JSON (${(error as Error).message}). Mend the text.`,
      )
    }
  }
  const toText = () => setText(text === null ? JSON.stringify(toFaultRule(draft), null, 2) : null)
  return (
    <section aria-labelledby="rule-title">
      <h2 id="rule-title">A rule of your own</h2>
      <form class="fields" onSubmit={add}>
        {text === null ? (
          <FaultFields {...{ words, draft, setDraft }} />
        ) : (
          <label>
            As JSON
            <textarea
              rows={8}
              spellcheck={false}
              aria-invalid={mistake !== ''}
              aria-describedby="rule-mistake"
              value={text}
              onInput={({ currentTarget }) => setText(currentTarget.value)}
            />
          </label>
        )}
        <p id="rule-mistake" class="bad" role="alert">
          {mistake}
        </p>
        <div class="row">
          <button type="submit" class="primary">
            Add the rule
          </button>
          <button type="button" onClick={toText}>
            {text === null ? 'Edit as JSON' : 'Back to the fields'}
          </button>
        </div>
      </form>
    </section>
  )
}

/** A rule as it stands in the fields. */
interface FaultDraft {
  readonly operation: string
  /** The name of an error, or one of `drop` and `delay` */
  readonly effect: string
  readonly phase: FaultPhase
  readonly milliseconds: string
  readonly times: string
}

const emptyFaultDraft: FaultDraft = {
  operation: '',
  effect: 'server_error',
  phase: 'before',
  milliseconds: '',
  times: '',
}

/** @example ruleOf({ ...noDraft, times: '1' }) // { when: { times: 1 }, phase: 'before', effect: { error: 'server_error' } } */
function toFaultRule({ operation, effect, phase, milliseconds, times }: FaultDraft): FaultRule {
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
function FaultFields({ words, draft, setDraft }: FaultFieldsProps) {
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
