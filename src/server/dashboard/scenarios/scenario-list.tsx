import type { ListedScenario } from '../../../scenarios/format/scenario.ts'
import { useDashboard } from '../kit/context.ts'
import { EmptyState } from '../kit/feedback.tsx'
import { ActionsHeader, RowButton } from '../kit/table.tsx'
import type { ScenarioRuns } from './runs.tsx'
import { RunOutcome } from './runs.tsx'

interface ScenarioListProps {
  readonly scenarios: readonly ListedScenario[]
  readonly runs: ScenarioRuns
  readonly open: string | undefined
  readonly onRun: (name: string) => void
}

/** The scenarios that are at hand, each with how it ended last. */
export function ScenarioList({ scenarios, runs, open, onRun }: ScenarioListProps) {
  const { link } = useDashboard()
  if (scenarios.length === 0) return <EmptyState title="No scenario has these words." />
  return (
    <table class="rows">
      <thead>
        <tr>
          <th>Last run</th>
          <th>Scenario</th>
          <th class="number wide">Steps</th>
          <ActionsHeader />
        </tr>
      </thead>
      <tbody>
        {scenarios.map(({ name, title, steps, from, fault }) => (
          <tr key={name} class={name === open ? 'current' : ''}>
            <td class="when">
              <RunOutcome run={runs.get(name)} steps={steps} />
            </td>
            <td class="content">
              <a href={link('scenarios', name)} title={name}>
                {title}
              </a>{' '}
              {from === 'folder' && <span class="tag">yours: {name}</span>}
              {fault !== null && <p class="bad">{fault}</p>}
            </td>
            <td class="number wide">{steps}</td>
            <td class="actions">
              <RowButton rowLabel={title} disabled={fault !== null} onClick={() => onRun(name)}>
                Run
              </RowButton>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
