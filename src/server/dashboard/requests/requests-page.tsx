import { Pause, Play, Terminal, Trash, TriangleAlert } from 'lucide'
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { JournalEntry } from '../../../sandbox/journal/entry.ts'
import { useDashboard, useViewParams } from '../kit/context.ts'
import { CodeLine, useCurlLine } from '../kit/copy.tsx'
import { Button, Checkbox, SearchField, Select } from '../kit/fields.tsx'
import { useActionButton } from '../kit/form.tsx'
import {
  formatCount,
  formatDateTime,
  formatDuration,
  formatPath,
  matchesWords,
} from '../kit/format.ts'
import { Icon, MethodTag, StatusTag } from '../kit/inline.tsx'
import { EmptyState, ErrorMessage, SplitView } from '../kit/panels.tsx'
import { useStore } from '../kit/store.ts'
import { type Column, Table } from '../kit/table.tsx'
import { ExportButtons } from './export.tsx'
import { RequestDetail } from './request-detail.tsx'

const rowsPerBatch = 200

const emptyFilter = {
  /** Words that must all occur in a request: `patch annotations 404` */
  text: '',
  status: 'any',
  /** Not empty: only requests that changed rows */
  changed: '',
  sort: '-time',
}

export function RequestsPage({ id }: { id: string | undefined }) {
  const { remote, journal: store, linkHere } = useDashboard()
  const journal = useStore(store)
  const { params: filter, setParams, field } = useViewParams(emptyFilter)
  const action = useActionButton()
  const [paused, setPaused] = useState<readonly JournalEntry[] | null>(null)
  const [selected, setSelected] = useState<ReadonlySet<number | string>>(new Set())
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
      <div class="toolbar">
        <SearchField label="Filter" placeholder="Filter, e.g. patch 404" {...field('text')} />
        <Select label="Status" hideLabel options={statusOptions} {...field('status')} />
        <Checkbox
          label="With changes only"
          value={filter.changed !== ''}
          onChange={(isOn) => setParams({ changed: isOn ? 'only' : '' })}
        />
        <span class="count" aria-live="polite">
          {selected.size > 0 ? `${selected.size} selected` : `${shown.length} shown`}
        </span>
        <div class="actions">
          <Button
            label={paused ? `Resume${newCount > 0 ? ` (${newCount} new)` : ''}` : 'Pause'}
            icon={paused ? Play : Pause}
            aria-pressed={paused !== null}
            onClick={() => setPaused(paused ? null : journal.entries)}
          />
          <ExportButtons
            ids={selected.size > 0 ? [...selected].map(Number) : shown.map(({ id }) => id)}
          />
          {action('Clear log', 'Request log cleared.', () => journal.clear(), { icon: Trash })}
        </div>
      </div>
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
          <Button label="Clear filter" onClick={() => setParams(emptyFilter)} />
        </EmptyState>
      )}
      {shown.length > 0 && (
        <Table
          class="requests linked"
          columns={columns}
          rows={shown.slice(0, rowLimit)}
          rowKey={({ id }) => id}
          rowClass={({ id }) => (id === open ? 'current' : '')}
          selection={{
            selected,
            update: setSelected,
            label: ({ id }) => `Select request ${id}`,
            labelOfAll: 'Select all shown requests',
          }}
          sort={filter.sort}
          onSort={(sort) => setParams({ sort })}
        />
      )}
      {shown.length > rowLimit && (
        <Button
          label={`Show older requests (${shown.length - rowLimit})`}
          class="more"
          onClick={() => setRowLimit(rowLimit + rowsPerBatch)}
        />
      )}
    </SplitView>
  )
}

const statusOptions = [
  ['any', 'Any status'],
  '2xx',
  '4xx',
  '5xx',
  'with fault',
  'no matching operation',
] as const

function matchesFilter(
  entry: JournalEntry,
  { text, status, changed }: typeof emptyFilter,
): boolean {
  if (changed !== '' && entry.changes.length === 0) return false
  if (!matchesStatus(entry, status)) return false
  const { method, path, query, operation, key, response } = entry
  const pairs = Object.entries(query).map((pair) => pair.join('='))
  const words = [method, path, ...pairs, operation, key?.label, key?.value, response.status]
  return text.trim() === '' || matchesWords(words.join(' '), text)
}

function matchesStatus(entry: JournalEntry, option: string): boolean {
  if (option === 'any') return true
  if (option === 'with fault') return entry.fault !== null
  if (option === 'no matching operation') return entry.operation === null
  return String(entry.response.status).startsWith(option.slice(0, 1))
}

const sortFields: Readonly<Record<string, (entry: JournalEntry) => string | number>> = {
  status: ({ response }) => response.status,
  method: ({ method }) => method,
  path: formatPath,
  key: nameKey,
  duration: ({ ms }) => ms,
  time: ({ id }) => id,
}

function nameKey({ key }: JournalEntry): string {
  return key?.label ?? key?.value ?? ''
}

/** @param sort a field, after a minus sign for the reverse order. An unknown one keeps the order. */
function sortEntries(entries: JournalEntry[], sort: string): JournalEntry[] {
  const field = sortFields[sort.replace('-', '')]
  const direction = sort.startsWith('-') ? -1 : 1
  if (!field) return entries
  const compare = (a: string | number, b: string | number) => (a < b ? -1 : a > b ? 1 : 0)
  return entries.sort((a, b) => direction * compare(field(a), field(b)))
}

/** The same object at each drawing, so that thousands of arriving requests draw only the new rows. */
const columns: readonly Column<JournalEntry>[] = [
  [
    '',
    'Status',
    ({ response }) => <StatusTag status={response.status} dropped="dropped" />,
    'status',
  ],
  ['', 'Method', ({ method }) => <MethodTag method={method} />, 'method'],
  ['path', 'Path', (entry) => <PathCell entry={entry} />, 'path'],
  ['key', 'Key', nameKey, 'key'],
  ['number', 'Duration', formatDuration, 'duration'],
  [
    'time',
    'Time',
    ({ at }) => formatDateTime(at, 'millisecond').slice('2024-06-03 '.length),
    'time',
  ],
]

function PathCell({ entry }: { entry: JournalEntry }) {
  const { id, fault, changes, operation, reason, ignored } = entry
  const { linkHere, route } = useDashboard()
  const isOpen = route.path[1] === String(id)
  // The status before it has a column of its own.
  const sentence = reason?.slice(reason.indexOf(': ') + 2)
  return (
    <>
      <a
        class="opens"
        href={linkHere('requests', id)}
        title={operation ?? 'No operation matches this method and path'}
        {...(isOpen && { 'aria-current': 'true' as const })}
      >
        <BreakablePath path={formatPath(entry)} />
      </a>{' '}
      {fault && <span class="tag bad">fault</span>}{' '}
      {changes.length > 0 && <span class="tag">{formatCount(changes.length, 'row')} changed</span>}
      {sentence !== undefined && (
        <div class="note dim" title={sentence}>
          {sentence}
        </div>
      )}
      {ignored.length > 0 && (
        <div class="note warn" title={ignored.join('\n')}>
          Ignored: {ignored.join('; ')}
        </div>
      )}
    </>
  )
}

function BreakablePath({ path }: { path: string }) {
  return path.split(/(?<=[/?&])/).map((segment, index) => [index > 0 && <wbr />, segment])
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

/** How many requests of a mistake are linked. */
const maxLinks = 5

/** The mistakes of clients, folded. Nothing without a mistake. */
function ClientMistakesNotice() {
  const { journal, link } = useDashboard()
  const { value: mistakes = [] } = useStore(journal.mistakes)
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
                <a key={id} href={link('requests', id)}>
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
