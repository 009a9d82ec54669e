import type { ListedScenario } from '../../../scenarios/format/scenario.ts'
import { useDashboard } from '../kit/context.ts'
import { EmptyState } from '../kit/feedback.tsx'
import { ActionsHeader, RowButton } from '../kit/table.tsx'
import type { ScenarioRuns } from './runs.tsx'
import { RunOutcome } from './runs.tsx'

interface ScenarioListProps {
  readonly scenarios: readonly ListedScenario[]
  readonly runs: ScenarioRuns
  /** The name of the scenario whose details are open. */
  readonly open: string | undefined
  readonly onRun: (name: string) => void
}

/** The scenarios, each with the outcome of its latest run. */
export function ScenarioList({ scenarios, runs, open, onRun }: ScenarioListProps) {
  const { link } = useDashboard()
  if (scenarios.length === 0) return <EmptyState title="No scenarios match the search." />
  return (
    <table class="rows linked">
      <thead>
        <tr>
          <th>Last run</th>
          <th>Scenario</th>
          <th class="number wide">Steps</th>
          <ActionsHeader />
        </tr>
      </thead>
      <tbody>
        {scenarios.map(({ name, title, steps, from, issue }) => (
          <tr key={name} class={name === open ? 'current' : ''}>
            <td class="when">
              <RunOutcome run={runs.get(name)} stepCount={steps} />
            </td>
            <td class="content">
              <a href={link('scenarios', name)} title={name}>
                {title}
              </a>{' '}
              {from === 'folder' && <span class="tag">from your folder: {name}</span>}
              {issue !== null && <p class="bad">{issue}</p>}
            </td>
            <td class="number wide">{steps}</td>
            <td class="actions">
              <RowButton rowLabel={title} disabled={issue !== null} onClick={() => onRun(name)}>
                Run
              </RowButton>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
