import type { JournalEntry } from '../../journal/entry.ts'
import { useDashboard } from '../kit/place.ts'
import { RequestRow } from './request-row.tsx'

interface RequestTableProps {
  readonly entries: readonly JournalEntry[]
  readonly open: number | undefined
  readonly selected: ReadonlySet<number>
  readonly setSelected: (change: (before: ReadonlySet<number>) => ReadonlySet<number>) => void
}

/** A line for each request, the newest first. */
export function RequestTable({ entries, open, selected, setSelected }: RequestTableProps) {
  const { link } = useDashboard()
  const areAll = entries.every(({ id }) => selected.has(id))
  // Rows keep the function they were drawn with: it may not know of what was selected then.
  const toggle = (id: number) =>
    setSelected((before) => {
      const next = new Set(before)
      if (!next.delete(id)) next.add(id)
      return next
    })
  return (
    <table class="requests" onKeyDown={moveFocus}>
      <thead>
        <tr>
          <th class="tick">
            <input
              type="checkbox"
              aria-label="Select all that are shown"
              checked={areAll}
              onChange={() =>
                setSelected(() => (areAll ? new Set() : new Set(entries.map(({ id }) => id))))
              }
            />
          </th>
          <th>Status</th>
          <th>Method</th>
          <th>Path</th>
          <th class="key">Key</th>
          <th class="number">Took</th>
          <th class="time">At</th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <RequestRow
            key={entry.id}
            entry={entry}
            href={link('requests', entry.id)}
            isOpen={entry.id === open}
            isSelected={selected.has(entry.id)}
            onSelect={toggle}
          />
        ))}
      </tbody>
    </table>
  )
}

/** Up and down go from one request to the next. */
function moveFocus(event: KeyboardEvent & { currentTarget: HTMLTableElement }): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('tbody a')]
  const at = links.indexOf(document.activeElement as HTMLElement)
  if (at < 0) return
  event.preventDefault()
  links[at + (event.key === 'ArrowDown' ? 1 : -1)]?.focus()
}
