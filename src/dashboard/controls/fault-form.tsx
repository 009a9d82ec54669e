import { useState } from 'preact/hooks'
import type { Words } from '../../control/list-words.ts'
import type { FaultRule } from '../../faults/rule.ts'
import { emptyFaultDraft, type FaultDraft, FaultFields, toFaultRule } from './fault-fields.tsx'

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
