import type { ListedScenario } from '../../scenarios/library.ts'
import { usePlace } from '../kit/place.ts'
import { ActionsHead, RowButton } from '../kit/row-actions.tsx'
import { Empty } from '../kit/states.tsx'
import { Outcome } from './outcome.tsx'
import type { Runs } from './runs.ts'

interface ScenarioListProps {
  readonly scenarios: readonly ListedScenario[]
  readonly runs: Runs
  readonly open: string | undefined
  readonly onRun: (name: string) => void
}

/** The scenarios that are at hand, each with how it ended last. */
export function ScenarioList({ scenarios, runs, open, onRun }: ScenarioListProps) {
  const { link } = usePlace()
  if (scenarios.length === 0) return <Empty title="No scenario has these words." />
  return (
    <table class="rows">
      <thead>
        <tr>
          <th>Last run</th>
          <th>Scenario</th>
          <th class="number wide">Steps</th>
          <ActionsHead />
        </tr>
      </thead>
      <tbody>
        {scenarios.map(({ name, title, steps, from, fault }) => (
          <tr key={name} class={name === open ? 'current' : ''}>
            <td class="when">
              <Outcome run={runs.of(name)} steps={steps} />
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
              <RowButton of={title} disabled={fault !== null} onClick={() => onRun(name)}>
                Run
              </RowButton>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
