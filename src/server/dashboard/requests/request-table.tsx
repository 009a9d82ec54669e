import { Component, type ComponentChild, h } from 'preact'
import type { JournalEntry } from '../../../sandbox/journal/entry.ts'
import { useDashboard } from '../kit/context.ts'
import { formatDuration, formatPath, formatTime, statusClass } from '../kit/format.ts'

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

interface RequestRowProps {
  readonly entry: JournalEntry
  readonly href: string
  readonly isOpen: boolean
  readonly isSelected: boolean
  readonly onSelect: (id: number) => void
}

/** One request in the list. The path is the link to all there is to know of it. */
const RequestRow = memo(
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

/** A component that is drawn anew only where what it is given differs, by a comparison of its own. */
function memo<Props extends object>(
  Inner: (props: Props) => ComponentChild,
  isSame: (before: Props, after: Props) => boolean,
) {
  return class Memo extends Component<Props> {
    override shouldComponentUpdate(next: Props): boolean {
      return !isSame(this.props, next)
    }

    override render() {
      return h(Inner, this.props)
    }
  }
}
