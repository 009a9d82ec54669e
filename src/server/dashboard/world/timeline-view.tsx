import { useEffect, useRef } from 'preact/hooks'
import type { Timeline } from '../../../world/edit/find-rows.ts'
import { useDashboard } from '../kit/context.ts'
import { ErrorMessage } from '../kit/feedback.tsx'
import { formatDateTime } from '../kit/format.ts'
import { useLoad } from '../kit/hooks.ts'
import { ScrollArea } from '../kit/table.tsx'
import { type AnnotationFilter, toAnnotationQuery } from './annotation-filter.tsx'
import { countByScope } from './timeline-series.ts'

interface TimelineViewProps {
  readonly filter: AnnotationFilter
  readonly setFilter: (filter: AnnotationFilter) => void
  /** Changes whenever rows may have changed. */
  readonly version: string
}

/** A chart of annotations over time, colored by scope. Dragging selects a date range. */
export function TimelineView({ filter, setFilter, version }: TimelineViewProps) {
  const { remote } = useDashboard()
  const query = toAnnotationQuery(filter)
  const { value, error } = useLoad(
    () => remote.world.timeline(query),
    [remote, JSON.stringify(query), version],
  )
  if (error) return <ErrorMessage error={error} />
  if (!value) return <figure class="timeline" />
  const setRange = (since: string, until: string) => setFilter({ ...filter, since, until })
  const hasRange = filter.since !== '' || filter.until !== ''
  return (
    <figure class="timeline">
      {value.steps.length > 0 && <Plot timeline={value} onSelect={setRange} />}
      <figcaption>
        <Legend timeline={value} />
        {hasRange && (
          <button type="button" class="quiet" onClick={() => setRange('', '')}>
            Clear date range
          </button>
        )}
        <TimelineTable timeline={value} />
      </figcaption>
    </figure>
  )
}

function Legend({ timeline }: { timeline: Timeline }) {
  const { undated, unit, steps } = timeline
  return (
    <p>
      {steps.length > 0 && <span class="dim">Per {unit}:</span>}
      {countByScope(timeline).map(([scope, count]) => (
        <span key={scope} class={`scope ${scope}`}>
          {scope} {count.toLocaleString('en')}
        </span>
      ))}
      {undated > 0 && <span class="dim">{undated.toLocaleString('en')} undated</span>}
    </p>
  )
}

interface PlotProps {
  readonly timeline: Timeline
  readonly onSelect: (since: string, until: string) => void
}

function Plot({ timeline, onSelect }: PlotProps) {
  const container = useRef<HTMLDivElement>(null)
  const latestOnSelect = useRef(onSelect)
  latestOnSelect.current = onSelect
  useEffect(() => {
    let isRemoved = false
    let remove = () => {}
    import('./draw-timeline.ts').then(({ drawTimeline }) => {
      if (isRemoved || !container.current) return
      remove = drawTimeline(container.current, timeline, (since, until) =>
        latestOnSelect.current(since, until),
      )
    })
    return () => {
      isRemoved = true
      remove()
    }
  }, [timeline])
  return <div ref={container} class="plot" aria-hidden="true" />
}

/** The numbers of the chart, for screen readers and exact values. */
function TimelineTable({ timeline }: { timeline: Timeline }) {
  const scopes = countByScope(timeline).map(([scope]) => scope)
  if (scopes.length === 0) return null
  return (
    <details>
      <summary>As a table</summary>
      <ScrollArea label="Annotations by time and scope" class="scroll short">
        <table>
          <thead>
            <tr>
              <th>Starting</th>
              {scopes.map((scope) => (
                <th key={scope} class="number">
                  {scope}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {timeline.steps.map(({ at, counts }) => (
              <tr key={at}>
                <th scope="row">
                  {timeline.unit === 'hour' ? formatDateTime(at, 'minute') : at.slice(0, 10)}
                </th>
                {scopes.map((scope) => (
                  <td key={scope} class="number">
                    {counts[scope] ?? 0}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollArea>
    </details>
  )
}
