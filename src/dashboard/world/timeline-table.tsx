import type { Timeline } from '../../world/timeline.ts'
import { ScrollArea } from '../kit/scroll.tsx'
import { countByScope } from './timeline-series.ts'

/** The same in numbers: for who does not see the picture, or wants them exact. */
export function TimelineTable({ timeline }: { timeline: Timeline }) {
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
