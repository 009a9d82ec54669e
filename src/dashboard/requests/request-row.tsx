import type { JournalEntry } from '../../journal/entry.ts'
import { memo } from '../kit/memo.ts'
import { addressOf, durationOf, timeOf, toneOf } from './address.ts'

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
          <span class={`status ${toneOf(answer.status)}`}>{answer.status || 'broken'}</span>
        </td>
        <td>
          <span class={`method ${method.toLowerCase()}`}>{method}</span>
        </td>
        <td class="path">
          <a href={href} title={operation ?? 'No operation has this path'} {...current(isOpen)}>
            {addressOf(entry)}
          </a>{' '}
          {fault && <span class="tag bad">fault</span>}{' '}
          {changes.length > 0 && <span class="tag">{changes.length} changed</span>}
        </td>
        <td class="key">{key === null ? '' : (key.label ?? key.value)}</td>
        <td class="number">{durationOf(entry)}</td>
        <td class="time">{timeOf(entry)}</td>
      </tr>
    )
  },
  (before, after) =>
    before.entry === after.entry &&
    before.href === after.href &&
    before.isOpen === after.isOpen &&
    before.isSelected === after.isSelected,
)

function current(isOpen: boolean): { 'aria-current'?: 'true' } {
  return isOpen ? { 'aria-current': 'true' } : {}
}
