import { TriangleAlert } from 'lucide'
import { useMemo } from 'preact/hooks'
import { useDashboard } from '../kit/context.ts'
import { formatCount } from '../kit/format.ts'
import { useStore } from '../kit/hooks.ts'
import { Icon } from '../kit/icon.tsx'

/** How many requests of a mistake are linked. */
const maxLinks = 5

/** The mistakes of clients, folded. Nothing without a mistake. */
export function ClientMistakesNotice() {
  const { journal: store, link } = useDashboard()
  const journal = useStore(store)
  const mistakes = useMemo(() => journal.mistakes.list(), [journal.entries])
  if (mistakes.length === 0) return null
  return (
    <details class="mistakes">
      <summary>
        <Icon icon={TriangleAlert} /> {formatCount(mistakes.length, 'mistake')} of clients
      </summary>
      <ul class="plain">
        {mistakes.map(({ rule, level, message, cure, entries, count }) => (
          <li key={`${rule} ${entries[0]} ${message}`}>
            <span class={level === 'error' ? 'tag bad' : 'tag'}>{rule}</span> {message} {cure}{' '}
            <span class="dim">
              {formatCount(count, 'request')}:{' '}
              {entries.slice(0, maxLinks).map((id) => (
                <a key={id} href={link('requests', String(id))}>
                  {id}{' '}
                </a>
              ))}
            </span>
          </li>
        ))}
      </ul>
    </details>
  )
}
