import type { FaultInfo } from '../../../sandbox/faults/rule.ts'
import { useAction, useDashboard, useVocabulary } from '../kit/context.ts'
import { ErrorMessage } from '../kit/feedback.tsx'
import { useLoad, useStore } from '../kit/hooks.ts'
import { FaultForm } from './fault-form.tsx'

/** The rules that disturb answers, and situations that have a name. */
export function FaultsView() {
  const { remote, journal } = useDashboard()
  const { entriesVersion } = useStore(journal)
  const words = useVocabulary()
  const { value, error, reload } = useLoad(() => remote.faults.list(), [remote, entriesVersion])
  const act = useAction()
  const then = async (done: string, work: () => Promise<unknown>) => {
    const isDone = await act(done, work)
    if (isDone) reload()
    return isDone
  }
  return (
    <div class="stack">
      {error && <ErrorMessage error={error} onRetry={reload} />}
      <section aria-labelledby="presets-title">
        <h2 id="presets-title">Presets</h2>
        <ul class="plain presets">
          {words?.presets.map(({ name, description }) => (
            <li key={name}>
              <button
                type="button"
                onClick={() =>
                  then(`Added the faults of ${name}.`, () => remote.faults.add({ preset: name }))
                }
              >
                {name}
              </button>
              <span class="dim">{description}</span>
            </li>
          ))}
        </ul>
      </section>
      <FaultForm
        words={words}
        onAdd={(rule) => then('Added a fault.', () => remote.faults.add(rule))}
      />
      <FaultList
        rules={value ?? []}
        onRemove={(id) => then(`Ended ${id}.`, () => remote.faults.remove(id))}
        onClear={() => then('Ended all faults.', () => remote.faults.clear())}
      />
    </div>
  )
}

interface FaultListProps {
  readonly rules: readonly FaultInfo[]
  readonly onRemove: (id: string) => void
  readonly onClear: () => void
}

/** The rules that hold, in the order in which they are asked. */
function FaultList({ rules, onRemove, onClear }: FaultListProps) {
  return (
    <section aria-labelledby="rules-title">
      <header class="row">
        <h2 id="rules-title">In force</h2>
        {rules.length > 0 && (
          <button type="button" onClick={onClear}>
            End all
          </button>
        )}
      </header>
      {rules.length === 0 && <p class="dim">No answer is disturbed.</p>}
      <ul class="plain items">
        {rules.map((rule) => (
          <FaultItem key={rule.id} rule={rule} onRemove={onRemove} />
        ))}
      </ul>
    </section>
  )
}

function FaultItem({ rule, onRemove }: { rule: FaultInfo; onRemove: (id: string) => void }) {
  const { id, preset, matched, applied, warning, phase, when, effect } = rule
  const { operation, method, path, key } = rule
  const requests = [operation, method, path, key].filter((part) => part !== undefined).flat()
  return (
    <li>
      <p>
        <strong>{id}</strong> {preset !== null && <span class="tag">{preset}</span>}{' '}
        <span class="dim">
          {requests.length === 0 ? 'any request' : requests.join(' ')}, {phase}
        </span>
      </p>
      <p class="line">
        <code>{JSON.stringify(effect)}</code>{' '}
        {when && <code class="dim">{JSON.stringify(when)}</code>}
      </p>
      <p class="dim">
        {matched} matched, {applied} disturbed
      </p>
      {warning !== null && <p class="bad">{warning}</p>}
      <div class="row">
        <button type="button" aria-label={`End ${id}`} onClick={() => onRemove(id)}>
          End
        </button>
      </div>
    </li>
  )
}
