import { TriangleAlert } from 'lucide'
import type { JournalEntry, JournalPolicy } from '../../../sandbox/journal/entry.ts'
import { useDashboard } from '../kit/context.ts'
import { describeDecision, formatCount } from '../kit/format.ts'
import { Icon } from '../kit/icon.tsx'
import { EvidenceDetails } from './evidence-details.tsx'

/** Why a response is as it is: one sentence, then the policies that decided it, then all others, folded. */
export function ResponseReasons({ entry }: { entry: JournalEntry }) {
  const { policies, decided_by = [], nearest = [] } = entry
  const { link } = useDashboard()
  const others = policies.filter(({ id }) => !decided_by.some((each) => each.id === id))
  const other = decided_by.length > 0 ? 'other ' : ''
  return (
    <section class="why">
      <h3>Why this response</h3>
      <p class="sentence">{explainResponse(entry)}</p>
      {entry.ignored.map((input) => (
        <p key={input} class="ignored">
          <Icon icon={TriangleAlert} /> Ignored: {input}
        </p>
      ))}
      {entry.fault && (
        <p>
          <a href={link('controls', 'faults')}>Show the active faults</a>
        </p>
      )}
      {nearest.length > 1 && (
        <ul class="plain">
          {nearest.slice(1).map(({ route, difference }) => (
            <li key={route}>
              Similar route: <code>{route}</code> ({difference})
            </li>
          ))}
        </ul>
      )}
      {decided_by.length > 0 && (
        <ul class="plain policies">
          {decided_by.map((decision) => (
            <PolicyLine key={decision.id} policy={decision}>
              {describeDecision(decision)}
            </PolicyLine>
          ))}
        </ul>
      )}
      {others.length > 0 && (
        <details>
          <summary>
            {formatCount(others.length, `${other}policy`, `${other}policies`)} that the response
            depends on
          </summary>
          <ul class="plain policies">
            {others.map((policy) => (
              <PolicyLine key={policy.id} policy={policy} />
            ))}
          </ul>
        </details>
      )}
      <EvidenceDetails key={entry.id} id={entry.id} />
    </section>
  )
}

function PolicyLine({ policy, children }: { policy: JournalPolicy; children?: string }) {
  const { id, setting, evidence } = policy
  const { link } = useDashboard()
  return (
    <li>
      {children && 'Decided by '}
      <a href={link('controls', 'policies', id)}>{id}</a> = <code>{setting}</code>{' '}
      <span class={`tag ${evidence}`}>{evidence}</span> {children}
    </li>
  )
}

/** The reason; for an unremarkable success, what it changed. */
function explainResponse({ reason, operation, response, changes, method }: JournalEntry): string {
  const { status } = response
  if (reason !== null) return reason.replace(/(?<![?!…])$/, '.')
  if (changes.length > 0) {
    return `${status}: ${operation} succeeded and changed ${formatCount(changes.length, 'row')}.`
  }
  return `${status}: ${operation} succeeded${method === 'GET' ? '' : ' and changed no rows'}.`
}
