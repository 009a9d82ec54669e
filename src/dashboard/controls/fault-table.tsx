import type { FaultInfo } from '../../faults/rule.ts'

interface FaultListProps {
  readonly rules: readonly FaultInfo[]
  readonly onRemove: (id: string) => void
  readonly onClear: () => void
}

/** The rules that hold, in the order in which they are asked. */
export function FaultList({ rules, onRemove, onClear }: FaultListProps) {
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
