import { Terminal } from 'lucide'
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { JournalEntry } from '../../../sandbox/journal/entry.ts'
import { useDashboard, useViewParams } from '../kit/context.ts'
import { CodeLine, useCurlLine } from '../kit/copy.tsx'
import { Button } from '../kit/fields.tsx'
import {
  formatCount,
  formatDateTime,
  formatDuration,
  formatPath,
  statusClass,
} from '../kit/format.ts'
import { useStore } from '../kit/hooks.ts'
import { EmptyState, ErrorMessage, SplitView } from '../kit/panels.tsx'
import { HeaderCell, type Sorting, useRowKeys } from '../kit/table.tsx'
import { ClientMistakesNotice } from './client-mistakes-notice.tsx'
import { RequestDetail } from './request-detail.tsx'
import { emptyRequestFilter, matchesFilter, RequestToolbar } from './request-toolbar.tsx'

const rowsPerBatch = 200

export function RequestsPage({ id }: { id: string | undefined }) {
  const { remote, journal: store } = useDashboard()
  const journal = useStore(store)
  const { params: filter, setParams, field, linkHere } = useViewParams(emptyRequestFilter)
  const [paused, setPaused] = useState<readonly JournalEntry[] | null>(null)
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set())
  const [rowLimit, setRowLimit] = useState(rowsPerBatch)
  useEffect(() => setSelected(new Set()), [remote])

  const entries = paused ?? journal.entries
  const shown = useMemo(
    () =>
      sortEntries(
        entries.filter((entry) => matchesFilter(entry, filter)),
        filter.sort,
      ),
    [entries, ...Object.values(filter)],
  )
  const open = id === undefined ? undefined : Number(id)
  const newCount = paused ? journal.entries.filter(({ id }) => id > (paused[0]?.id ?? 0)).length : 0

  return (
    <SplitView
      label="Requests"
      detail={
        open !== undefined && <RequestDetail key={open} id={open} back={linkHere('requests')} />
      }
    >
      <RequestToolbar
        {...{ field, shown, selected, newCount }}
        isPaused={paused !== null}
        onPause={() => setPaused(paused === null ? journal.entries : null)}
      />
      {journal.missed > 0 && (
        <p class="hint">
          {formatCount(journal.missed, 'request is', 'requests are')} not shown because they arrived
          too fast.
        </p>
      )}
      <ClientMistakesNotice />
      {journal.state === 'lost' && journal.error && <ErrorMessage error={journal.error} />}
      {entries.length === 0 && <NoRequests />}
      {entries.length > 0 && shown.length === 0 && (
        <EmptyState title="No requests match the filter.">
          <Button onClick={() => setParams(emptyRequestFilter)}>Clear filter</Button>
        </EmptyState>
      )}
      {shown.length > 0 && (
        <RequestTable
          {...{ selected, setSelected, open }}
          entries={shown.slice(0, rowLimit)}
          sort={filter.sort}
          onSort={(sort) => setParams({ sort })}
        />
      )}
      {shown.length > rowLimit && (
        <Button class="more" onClick={() => setRowLimit(rowLimit + rowsPerBatch)}>
          Show older requests ({shown.length - rowLimit})
        </Button>
      )}
    </SplitView>
  )
}

const sortFields: Readonly<Record<string, (entry: JournalEntry) => string | number>> = {
  status: ({ response }) => response.status,
  method: ({ method }) => method,
  path: formatPath,
  key: ({ key }) => key?.label ?? key?.value ?? '',
  duration: ({ ms }) => ms,
  time: ({ id }) => id,
}

/** @param sort a field, after a minus sign for the reverse order. An unknown one keeps the order. */
function sortEntries(entries: JournalEntry[], sort: string): JournalEntry[] {
  const field = sortFields[sort.replace('-', '')]
  const direction = sort.startsWith('-') ? -1 : 1
  if (!field) return entries
  const compare = (a: string | number, b: string | number) => (a < b ? -1 : a > b ? 1 : 0)
  return entries.sort((a, b) => direction * compare(field(a), field(b)))
}

function NoRequests() {
  const curl = useCurlLine()
  return (
    <EmptyState icon={Terminal} title="No requests yet. They appear here as they arrive.">
      {curl !== undefined && (
        <>
          <p>Send the first one from a terminal:</p>
          <CodeLine text={curl} name="the curl command" />
        </>
      )}
    </EmptyState>
  )
}

interface RequestTableProps extends Sorting {
  readonly entries: readonly JournalEntry[]
  readonly open: number | undefined
  readonly selected: ReadonlySet<number>
  readonly setSelected: (update: (selected: ReadonlySet<number>) => ReadonlySet<number>) => void
}

/** The class, the header and the sort field of each column. */
const columns = [
  ['', 'Status', 'status'],
  ['', 'Method', 'method'],
  ['', 'Path', 'path'],
  ['key', 'Key', 'key'],
  ['number', 'Duration', 'duration'],
  ['time', 'Time', 'time'],
] as const

function RequestTable(props: RequestTableProps) {
  const { entries, open, selected, setSelected, sort, onSort } = props
  const table = useRowKeys()
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
    <table ref={table} class="requests linked">
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
          {columns.map(([className, header, field]) => (
            <HeaderCell key={field} {...{ className, header, field, sort, onSort }} />
          ))}
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

/** A request. Its path links to the details. Preact skips an unchanged row, because it is the same object. */
function RequestRow(props: {
  entry: JournalEntry
  isOpen: boolean
  isSelected: boolean
  onSelect: (id: number) => void
}) {
  const { entry, isOpen, isSelected, onSelect } = props
  const href = useViewParams({}).linkHere('requests', entry.id)
  return useMemo(() => {
    const { id, method, key, response, fault, changes, operation, reason, ignored } = entry
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
            class="opens"
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
          {reason !== null && <div class="note dim">{reason}</div>}
          {ignored.length > 0 && <div class="note warn">Ignored: {ignored.join('; ')}</div>}
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
