import { useMemo } from 'preact/hooks'
import type { JournalEntry } from '../../../sandbox/journal/entry.ts'
import { useDashboard } from '../kit/context.ts'
import { formatCount, formatDuration, formatPath, formatTime, statusClass } from '../kit/format.ts'

interface RequestTableProps {
  readonly entries: readonly JournalEntry[]
  /** The id of the request whose details are open. */
  readonly open: number | undefined
  readonly selected: ReadonlySet<number>
  readonly setSelected: (update: (selected: ReadonlySet<number>) => ReadonlySet<number>) => void
}

/** The requests, newest first. */
export function RequestTable({ entries, open, selected, setSelected }: RequestTableProps) {
  const { link } = useDashboard()
  const areAllSelected = entries.every(({ id }) => selected.has(id))
  const toggleAll = () =>
    setSelected(() => (areAllSelected ? new Set() : new Set(entries.map(({ id }) => id))))
  // A memoized row keeps its first callback, so the callback must not read `selected` itself.
  const toggle = (id: number) =>
    setSelected((before) => {
      const next = new Set(before)
      if (!next.delete(id)) next.add(id)
      return next
    })
  return (
    <table class="requests linked" onKeyDown={moveFocus}>
      <thead>
        <tr>
          <th class="tick">
            <input
              type="checkbox"
              aria-label="Select all shown requests"
              checked={areAllSelected}
              onChange={toggleAll}
            />
          </th>
          <th>Status</th>
          <th>Method</th>
          <th>Path</th>
          <th class="key">Key</th>
          <th class="number">Duration</th>
          <th class="time">Time</th>
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

/** Moves the focus between requests with the arrow keys. */
function moveFocus(event: KeyboardEvent & { currentTarget: HTMLTableElement }): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('tbody a')]
  const index = links.indexOf(document.activeElement as HTMLElement)
  if (index < 0) return
  event.preventDefault()
  links[index + (event.key === 'ArrowDown' ? 1 : -1)]?.focus()
}

interface RequestRowProps {
  readonly entry: JournalEntry
  readonly href: string
  readonly isOpen: boolean
  readonly isSelected: boolean
  readonly onSelect: (id: number) => void
}

/** A request. Its path links to the details. Preact skips an unchanged row, because it is the same object. */
function RequestRow({ entry, href, isOpen, isSelected, onSelect }: RequestRowProps) {
  return useMemo(() => {
    const { id, method, key, response, fault, changes, operation } = entry
    return (
      <tr class={isOpen ? 'current' : ''}>
        <td class="tick">
          <input
            type="checkbox"
            aria-label={`Select request ${id}`}
            checked={isSelected}
            onChange={() => onSelect(id)}
          />
        </td>
        <td>
          <span class={`status ${statusClass(response.status)}`}>
            {response.status || 'dropped'}
          </span>
        </td>
        <td>
          <span class={`method ${method.toLowerCase()}`}>{method}</span>
        </td>
        <td class="path">
          <a
            href={href}
            title={operation ?? 'No operation matches this method and path'}
            {...(isOpen && { 'aria-current': 'true' as const })}
          >
            <BreakablePath path={formatPath(entry)} />
          </a>{' '}
          {fault && <span class="tag bad">fault</span>}{' '}
          {changes.length > 0 && (
            <span class="tag">{formatCount(changes.length, 'row')} changed</span>
          )}
        </td>
        <td class="key">{key === null ? '' : (key.label ?? key.value)}</td>
        <td class="number">{formatDuration(entry)}</td>
        <td class="time">{formatTime(entry)}</td>
      </tr>
    )
  }, [entry, href, isOpen, isSelected])
}

/** Allows line breaks between the segments of a path. */
function BreakablePath({ path }: { path: string }) {
  return path.split(/(?<=[/?&])/).map((segment, index) => [index > 0 && <wbr />, segment])
}
