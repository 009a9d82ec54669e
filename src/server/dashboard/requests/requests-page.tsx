import { useEffect, useMemo, useState } from 'preact/hooks'
import type { JournalEntry } from '../../../sandbox/journal/entry.ts'
import { useDashboard } from '../kit/context.ts'
import { EmptyState, ErrorMessage } from '../kit/feedback.tsx'
import { useStore } from '../kit/hooks.ts'
import { RequestDetail } from './request-detail.tsx'
import { RequestTable } from './request-table.tsx'
import { emptyRequestFilter, matchesFilter, RequestToolbar } from './request-toolbar.tsx'

/** As many rows as a reader looks through at once; older ones are a button away. */
const rowsPerBatch = 200

/** What is asked of the world, as it is asked. */
export function RequestsPage({ id }: { id: string | undefined }) {
  const { remote, journal: store, link } = useDashboard()
  const journal = useStore(store)
  const [filter, setFilter] = useState(emptyRequestFilter)
  const [paused, setPaused] = useState<readonly JournalEntry[] | null>(null)
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set())
  const [rows, setRows] = useState(rowsPerBatch)
  useEffect(() => setSelected(new Set()), [remote])

  const entries = paused ?? journal.entries
  const shown = useMemo(
    () => entries.filter((one) => matchesFilter(one, filter)),
    [entries, filter],
  )
  const open = id === undefined ? undefined : Number(id)
  const coming = paused ? journal.entries.filter(({ id }) => id > (paused[0]?.id ?? 0)).length : 0

  return (
    <div class={open === undefined ? 'split' : 'split open'}>
      <section class="list" aria-label="Requests">
        <RequestToolbar
          {...{ filter, setFilter, shown, selected, coming }}
          isPaused={paused !== null}
          onPause={() => setPaused(paused === null ? journal.entries : null)}
        />
        {journal.missed > 0 && (
          <p class="hint">{journal.missed} requests came faster than they could be shown.</p>
        )}
        {journal.state === 'lost' && journal.error && <ErrorMessage error={journal.error} />}
        {shown.length === 0 ? (
          <NoRequests hasEntries={entries.length > 0} url={remote.url} />
        ) : (
          <RequestTable {...{ selected, setSelected, open }} entries={shown.slice(0, rows)} />
        )}
        {shown.length > rows && (
          <button type="button" class="more" onClick={() => setRows(rows + rowsPerBatch)}>
            Show older ones ({shown.length - rows})
          </button>
        )}
      </section>
      {open !== undefined && <RequestDetail key={open} id={open} back={link('requests')} />}
    </div>
  )
}

function NoRequests({ hasEntries, url }: { hasEntries: boolean; url: string }) {
  if (hasEntries) return <EmptyState title="No request is as the filter wants it." />
  return (
    <EmptyState title="Nothing was asked yet. Requests show here as they come.">
      <p>
        <code>curl -H 'Authorization: Bearer …' {url}/api/projects/</code>
      </p>
    </EmptyState>
  )
}
