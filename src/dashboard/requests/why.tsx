import type { JournalEntry } from '../../journal/entry.ts'
import { useDashboard } from '../kit/place.ts'

/** Why the answer is as it is: a fault, the policies it came from with their evidence, or a path that is none. */
export function ResponseReasons({ entry }: { entry: JournalEntry }) {
  const { fault, policies, nearest = [] } = entry
  const { link } = useDashboard()
  if (!fault && policies.length === 0 && nearest.length === 0) return null
  return (
    <section>
      <h3>Why</h3>
      {fault && (
        <p class="hint bad">
          Disturbed by <a href={link('controls', 'faults')}>{fault.id}</a> in the phase{' '}
          {fault.phase}: <code>{JSON.stringify(fault.effect)}</code>
        </p>
      )}
      {nearest.length > 0 && (
        <ul class="plain">
          {nearest.map(({ route, differs }) => (
            <li key={route}>
              Near to <code>{route}</code>: {differs}
            </li>
          ))}
        </ul>
      )}
      {policies.length > 0 && (
        <ul class="plain policies">
          {policies.map(({ id, setting, evidence, source }) => (
            <li key={id}>
              <a href={link('controls', 'policies', id)}>{id}</a> = <code>{setting}</code>{' '}
              <span class={`tag ${evidence}`}>{evidence}</span> <span class="dim">{source}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
