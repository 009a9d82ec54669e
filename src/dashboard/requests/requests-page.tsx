import { useEffect, useMemo, useState } from 'preact/hooks'
import type { JournalEntry } from '../../journal/entry.ts'
import { usePlace } from '../kit/place.ts'
import { Empty, Problem } from '../kit/states.tsx'
import { useStore } from '../kit/store.ts'
import { everything, isShown } from './filter.ts'
import { RequestDetail } from './request-detail.tsx'
import { RequestTable } from './request-table.tsx'
import { Toolbar } from './toolbar.tsx'

/** As many rows as a reader looks through at once; older ones are a button away. */
const step = 200

/** What is asked of the world, as it is asked. */
export function RequestsPage({ id }: { id: string | undefined }) {
  const { remote, journal: store, link } = usePlace()
  const journal = useStore(store)
  const [filter, setFilter] = useState(everything)
  const [paused, setPaused] = useState<readonly JournalEntry[] | null>(null)
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set())
  const [rows, setRows] = useState(step)
  useEffect(() => setSelected(new Set()), [remote])

  const entries = paused ?? journal.entries
  const shown = useMemo(() => entries.filter((one) => isShown(one, filter)), [entries, filter])
  const open = id === undefined ? undefined : Number(id)
  const coming = paused ? journal.entries.filter(({ id }) => id > (paused[0]?.id ?? 0)).length : 0

  return (
    <div class={open === undefined ? 'split' : 'split open'}>
      <section class="list" aria-label="Requests">
        <Toolbar
          {...{ filter, setFilter, shown, selected, coming }}
          isPaused={paused !== null}
          onPause={() => setPaused(paused === null ? journal.entries : null)}
        />
        {journal.missed > 0 && (
          <p class="hint">{journal.missed} requests came faster than they could be shown.</p>
        )}
        {journal.state === 'lost' && journal.error && <Problem error={journal.error} />}
        {shown.length === 0 ? (
          <Nothing hasEntries={entries.length > 0} url={remote.url} />
        ) : (
          <RequestTable {...{ selected, setSelected, open }} entries={shown.slice(0, rows)} />
        )}
        {shown.length > rows && (
          <button type="button" class="more" onClick={() => setRows(rows + step)}>
            Show older ones ({shown.length - rows})
          </button>
        )}
      </section>
      {open !== undefined && <RequestDetail key={open} id={open} back={link('requests')} />}
    </div>
  )
}

function Nothing({ hasEntries, url }: { hasEntries: boolean; url: string }) {
  if (hasEntries) return <Empty title="No request is as the filter wants it." />
  return (
    <Empty title="Nothing was asked yet. Requests show here as they come.">
      <p>
        <code>curl -H 'Authorization: Bearer …' {url}/api/projects/</code>
      </p>
    </Empty>
  )
}
