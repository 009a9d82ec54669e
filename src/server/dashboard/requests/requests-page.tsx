import { useEffect, useMemo, useState } from 'preact/hooks'
import type { JournalEntry } from '../../../sandbox/journal/entry.ts'
import { useDashboard } from '../kit/context.ts'
import { Button } from '../kit/form.tsx'
import {
  formatCount,
  formatDateTime,
  formatDuration,
  formatPath,
  statusClass,
} from '../kit/format.ts'
import { useLoad, useStore } from '../kit/hooks.ts'
import { EmptyState, ErrorMessage, SplitView } from '../kit/panels.tsx'
import { RequestDetail } from './request-detail.tsx'
import { emptyRequestFilter, matchesFilter, RequestToolbar } from './request-toolbar.tsx'

const rowsPerBatch = 200

export function RequestsPage({ id }: { id: string | undefined }) {
  const { remote, journal: store, link } = useDashboard()
  const journal = useStore(store)
  const [filter, setFilter] = useState(emptyRequestFilter)
  const [paused, setPaused] = useState<readonly JournalEntry[] | null>(null)
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set())
  const [rowLimit, setRowLimit] = useState(rowsPerBatch)
  useEffect(() => setSelected(new Set()), [remote])

  const entries = paused ?? journal.entries
  const shown = useMemo(
    () => entries.filter((entry) => matchesFilter(entry, filter)),
    [entries, filter],
  )
  const open = id === undefined ? undefined : Number(id)
  const newCount = paused ? journal.entries.filter(({ id }) => id > (paused[0]?.id ?? 0)).length : 0

  return (
    <SplitView
      label="Requests"
      detail={open !== undefined && <RequestDetail key={open} id={open} back={link('requests')} />}
    >
      <RequestToolbar
        {...{ filter, setFilter, shown, selected, newCount }}
        isPaused={paused !== null}
        onPause={() => setPaused(paused === null ? journal.entries : null)}
      />
      {journal.missed > 0 && (
        <p class="hint">
          {formatCount(journal.missed, 'request is', 'requests are')} not shown because they arrived
          too fast.
        </p>
      )}
      {journal.state === 'lost' && journal.error && <ErrorMessage error={journal.error} />}
      {entries.length === 0 && <NoRequests />}
      {entries.length > 0 && shown.length === 0 && (
        <EmptyState title="No requests match the filter." />
      )}
      {shown.length > 0 && (
        <RequestTable {...{ selected, setSelected, open }} entries={shown.slice(0, rowLimit)} />
      )}
      {shown.length > rowLimit && (
        <Button class="more" onClick={() => setRowLimit(rowLimit + rowsPerBatch)}>
          Show older requests ({shown.length - rowLimit})
        </Button>
      )}
    </SplitView>
  )
}

function NoRequests() {
  const { remote } = useDashboard()
  const { value: keys } = useLoad(() => remote.keys.list(), [remote])
  const key = keys?.[0]?.value ?? '…'
  return (
    <EmptyState title="No requests yet. They appear here as they arrive.">
      {keys && (
        <p>
          <code>
            curl -H 'Authorization: Bearer {key}' {remote.url}/api/projects/
          </code>
        </p>
      )}
    </EmptyState>
  )
}

function RequestTable(props: {
  entries: readonly JournalEntry[]
  open: number | undefined
  selected: ReadonlySet<number>
  setSelected: (update: (selected: ReadonlySet<number>) => ReadonlySet<number>) => void
}) {
  const { entries, open, selected, setSelected } = props
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
            isOpen={entry.id === open}
            isSelected={selected.has(entry.id)}
            onSelect={toggle}
          />
        ))}
      </tbody>
    </table>
  )
}

function moveFocus(event: KeyboardEvent & { currentTarget: HTMLTableElement }): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('tbody a')]
  const index = links.indexOf(document.activeElement as HTMLElement)
  if (index < 0) return
  event.preventDefault()
  links[index + (event.key === 'ArrowDown' ? 1 : -1)]?.focus()
}

/** A request. Its path links to the details. Preact skips an unchanged row, because it is the same object. */
function RequestRow(props: {
  entry: JournalEntry
  isOpen: boolean
  isSelected: boolean
  onSelect: (id: number) => void
}) {
  const { entry, isOpen, isSelected, onSelect } = props
  const href = useDashboard().link('requests', entry.id)
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
        <td class="time">{formatDateTime(entry.at, 'millisecond').slice('2024-06-03 '.length)}</td>
      </tr>
    )
  }, [entry, href, isOpen, isSelected])
}

function BreakablePath({ path }: { path: string }) {
  return path.split(/(?<=[/?&])/).map((segment, index) => [index > 0 && <wbr />, segment])
}
