import type { FaultInfo } from '../../../sandbox/faults/rule.ts'
import { useAction, useDashboard, useVocabulary } from '../kit/context.ts'
import { describeEffect, describeWhen, phaseLabels } from '../kit/fault-text.ts'
import { ErrorMessage } from '../kit/feedback.tsx'
import { useLoad, useStore } from '../kit/hooks.ts'
import { FaultForm } from './fault-form.tsx'

/** Adds and removes fault rules. */
export function FaultsView() {
  const { remote, journal } = useDashboard()
  const { entriesVersion } = useStore(journal)
  const vocabulary = useVocabulary()
  const { value, error, reload } = useLoad(() => remote.faults.list(), [remote, entriesVersion])
  const run = useAction(reload)
  const { faults } = remote
  return (
    <div class="stack">
      {error && <ErrorMessage error={error} onRetry={reload} />}
      <section aria-labelledby="presets-title">
        <h2 id="presets-title">Presets</h2>
        <ul class="plain presets">
          {vocabulary?.presets.map(({ name, description }) => (
            <li key={name}>
              <button
                type="button"
                onClick={() => run(`Preset ${name} added.`, () => faults.add({ preset: name }))}
              >
                {name}
              </button>
              <span class="dim">{description}</span>
            </li>
          ))}
        </ul>
      </section>
      <FaultForm
        vocabulary={vocabulary}
        onAdd={async (rule) => {
          await faults.add(rule)
          reload()
        }}
      />
      <FaultList
        rules={value ?? []}
        onRemove={(id) => run(`Fault rule ${id} removed.`, () => faults.remove(id))}
        onClear={() => run('All fault rules removed.', () => faults.clear())}
      />
    </div>
  )
}

interface FaultListProps {
  readonly rules: readonly FaultInfo[]
  readonly onRemove: (id: string) => void
  readonly onClear: () => void
}

/** The active rules in evaluation order. */
function FaultList({ rules, onRemove, onClear }: FaultListProps) {
  return (
    <section aria-labelledby="rules-title">
      <header class="row">
        <h2 id="rules-title">Active faults</h2>
        {rules.length > 0 && (
          <button type="button" onClick={onClear}>
            Remove all
          </button>
        )}
      </header>
      {rules.length === 0 && <p class="dim">No active faults.</p>}
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
  const conditions = [operation, method, path, key].filter((part) => part !== undefined).flat()
  return (
    <li>
      <p>
        <strong>{id}</strong> {preset !== null && <span class="tag">{preset}</span>}{' '}
        <span class="dim">
          {conditions.length === 0 ? 'any request' : conditions.join(' ')}, {phaseLabels[phase]}
        </span>
      </p>
      <p class="long-text" title={JSON.stringify({ when, effect })}>
        {describeEffect(effect)}
        {when && <span class="dim">, {describeWhen(when)}</span>}
      </p>
      <p class="dim">
        matched {matched.toLocaleString('en')}, applied {applied.toLocaleString('en')}
      </p>
      {warning !== null && <p class="bad">{warning}</p>}
      <div class="row">
        <button type="button" aria-label={`Remove ${id}`} onClick={() => onRemove(id)}>
          Remove
        </button>
      </div>
    </li>
  )
}
