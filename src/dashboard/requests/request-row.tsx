import type { JournalEntry } from '../../journal/entry.ts'
import { memo } from '../kit/memo.ts'
import { formatDuration, formatPath, formatTime, statusClass } from './address.ts'

interface RequestRowProps {
  readonly entry: JournalEntry
  readonly href: string
  readonly isOpen: boolean
  readonly isSelected: boolean
  readonly onSelect: (id: number) => void
}

/** One request in the list. The path is the link to all there is to know of it. */
export const RequestRow = memo(
  ({ entry, href, isOpen, isSelected, onSelect }: RequestRowProps) => {
    const { id, method, key, answer, fault, changes, operation } = entry
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
          <span class={`status ${statusClass(answer.status)}`}>{answer.status || 'broken'}</span>
        </td>
        <td>
          <span class={`method ${method.toLowerCase()}`}>{method}</span>
        </td>
        <td class="path">
          <a href={href} title={operation ?? 'No operation has this path'} {...ariaCurrent(isOpen)}>
            {formatPath(entry)}
          </a>{' '}
          {fault && <span class="tag bad">fault</span>}{' '}
          {changes.length > 0 && <span class="tag">{changes.length} changed</span>}
        </td>
        <td class="key">{key === null ? '' : (key.label ?? key.value)}</td>
        <td class="number">{formatDuration(entry)}</td>
        <td class="time">{formatTime(entry)}</td>
      </tr>
    )
  },
  (before, after) =>
    before.entry === after.entry &&
    before.href === after.href &&
    before.isOpen === after.isOpen &&
    before.isSelected === after.isSelected,
)

function ariaCurrent(isOpen: boolean): { 'aria-current'?: 'true' } {
  return isOpen ? { 'aria-current': 'true' } : {}
}
