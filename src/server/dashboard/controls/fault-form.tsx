import { useState } from 'preact/hooks'
import type { FaultPhase, FaultRule } from '../../../sandbox/faults/rule.ts'
import type { Vocabulary } from '../kit/context.ts'
import { bindFields, FormError, JsonField, parseJson, useSubmit } from '../kit/form.tsx'

interface FaultFormProps {
  readonly vocabulary: Vocabulary | undefined
  readonly onAdd: (rule: FaultRule) => Promise<void>
}

/** Adds a fault rule: with fields for the common parts, or as JSON. */
export function FaultForm({ vocabulary, onAdd }: FaultFormProps) {
  const [draft, setDraft] = useState<FaultDraft>(emptyFaultDraft)
  const [json, setJson] = useState<string | null>(null)
  const { submit, error } = useSubmit(async () => {
    await onAdd(json === null ? toFaultRule(draft) : (parseJson(json) as FaultRule))
    return 'Fault rule added.'
  })
  const toggleJson = () =>
    setJson(json === null ? JSON.stringify(toFaultRule(draft), null, 2) : null)
  return (
    <section aria-labelledby="rule-title">
      <h2 id="rule-title">Custom rule</h2>
      <form class="fields" onSubmit={submit}>
        {json === null ? (
          <>
            <FaultFields {...{ vocabulary, draft, setDraft }} />
            <FormError error={error} />
          </>
        ) : (
          <JsonField rows={8} value={json} error={error} onChange={setJson} />
        )}
        <div class="row">
          <button type="submit" class="primary">
            Add rule
          </button>
          <button type="button" onClick={toggleJson}>
            {json === null ? 'Edit as JSON' : 'Edit as form'}
          </button>
        </div>
      </form>
    </section>
  )
}

/** The values of the fields. */
interface FaultDraft {
  readonly operation: string
  /** The name of an error, `drop` or `delay` */
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

/** @example toFaultRule({ ...emptyFaultDraft, times: '1' }) // { when: { times: 1 }, phase: 'before', effect: { error: 'server_error' } } */
function toFaultRule({ operation, effect, phase, milliseconds, times }: FaultDraft): FaultRule {
  const delay = milliseconds === '' ? {} : { delay_ms: Number(milliseconds) }
  const mainEffect =
    effect === 'delay' ? {} : effect === 'drop' ? { drop: true } : { error: effect }
  return {
    ...(operation !== '' && { operation }),
    ...(times !== '' && { when: { times: Number(times) } }),
    phase,
    effect: { ...mainEffect, ...delay },
  } as FaultRule
}

interface FaultFieldsProps {
  readonly vocabulary: Vocabulary | undefined
  readonly draft: FaultDraft
  readonly setDraft: (draft: FaultDraft) => void
}

function FaultFields({ vocabulary, draft, setDraft }: FaultFieldsProps) {
  const field = bindFields(draft, setDraft)
  return (
    <div class="side-by-side">
      <label>
        Operation
        <select {...field('operation')}>
          <option value="">Any request</option>
          {vocabulary?.operations.map(({ id }) => (
            <option key={id}>{id}</option>
          ))}
        </select>
      </label>
      <label>
        Effect
        <select {...field('effect')}>
          <option value="drop">Drop connection</option>
          <option value="delay">Delay only</option>
          {vocabulary?.errors.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <label>
        Phase
        <select {...field('phase')}>
          <option value="before">Before handling</option>
          <option value="after-commit">After handling (writes are kept)</option>
          <option value="mid-body">During the response body</option>
        </select>
      </label>
      <label>
        Delay (ms)
        <input type="number" min={0} placeholder="none" {...field('milliseconds')} />
      </label>
      <label>
        Maximum times
        <input type="number" min={1} placeholder="unlimited" {...field('times')} />
      </label>
    </div>
  )
}
