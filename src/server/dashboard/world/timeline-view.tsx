import { useEffect, useRef } from 'preact/hooks'
import type { Timeline } from '../../../world/edit/timeline.ts'
import { useDashboard } from '../kit/context.ts'
import { ErrorMessage } from '../kit/feedback.tsx'
import { useLoad } from '../kit/hooks.ts'
import { ScrollArea } from '../kit/table.tsx'
import { type AnnotationFilter, toAnnotationQuery } from './annotation-filter.tsx'
import { countByScope } from './timeline-series.ts'

interface TimelineViewProps {
  readonly filter: AnnotationFilter
  readonly setFilter: (filter: AnnotationFilter) => void
  /** Another one whenever rows may be others. */
  readonly version: string
}

/** When annotations lie, coloured by scope. Dragging over a part of it shows that part alone. */
export function TimelineView({ filter, setFilter, version }: TimelineViewProps) {
  const { remote } = useDashboard()
  const query = toAnnotationQuery(filter)
  const { value, error } = useLoad(
    () => remote.world.timeline(query),
    [remote, JSON.stringify(query), version],
  )
  if (error) return <ErrorMessage error={error} />
  if (!value) return <figure class="timeline" />
  const choose = (since: string, until: string) => setFilter({ ...filter, since, until })
  const isCut = filter.since !== '' || filter.until !== ''
  return (
    <figure class="timeline">
      {value.steps.length > 0 && <Plot timeline={value} onChoose={choose} />}
      <figcaption>
        <Legend timeline={value} />
        {isCut && (
          <button type="button" class="quiet" onClick={() => choose('', '')}>
            Show all time
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
      {steps.length > 0 && <span class="dim">By the {unit}:</span>}
      {countByScope(timeline).map(([scope, count]) => (
        <span key={scope} class={`scope ${scope}`}>
          {scope} {count.toLocaleString('en')}
        </span>
      ))}
      {undated > 0 && <span class="dim">{undated.toLocaleString('en')} without a date</span>}
    </p>
  )
}

interface PlotProps {
  readonly timeline: Timeline
  readonly onChoose: (since: string, until: string) => void
}

function Plot({ timeline, onChoose }: PlotProps) {
  const place = useRef<HTMLDivElement>(null)
  const choose = useRef(onChoose)
  choose.current = onChoose
  useEffect(() => {
    let isGone = false
    let end = () => {}
    import('./draw-timeline.ts').then(({ drawTimeline }) => {
      if (isGone || !place.current) return
      end = drawTimeline(place.current, timeline, (since, until) => choose.current(since, until))
    })
    return () => {
      isGone = true
      end()
    }
  }, [timeline])
  return <div ref={place} class="plot" aria-hidden="true" />
}

/** The same in numbers: for who does not see the picture, or wants them exact. */
function TimelineTable({ timeline }: { timeline: Timeline }) {
  const scopes = countByScope(timeline).map(([scope]) => scope)
  if (scopes.length === 0) return null
  return (
    <details>
      <summary>In numbers</summary>
      <ScrollArea label="Annotations by time and scope" class="scroll low">
        <table>
          <thead>
            <tr>
              <th>From</th>
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
                  {timeline.unit === 'hour' ? at.slice(0, 16).replace('T', ' ') : at.slice(0, 10)}
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
