import { useState } from 'preact/hooks'
import { type ListedScenario, stepTitle } from '../scenarios/format/scenario.ts'
import { scenarioReport } from '../scenarios/run/format-result.ts'
import type { RunResult } from '../scenarios/run/result.ts'
import { isError } from '../utils/kinds.ts'
import { useApp, useLinks, useLoad, useParams } from './app.ts'
import { matchesWords } from './format.ts'
import { Button, SearchField } from './kit.tsx'
import { type DataColumn, DataTable, Detail, Empty, JsonView, LoadError, Split } from './layout.tsx'

/** By the name of the scenario: `null` while it runs. */
type Runs = Readonly<Record<string, RunResult | Error | null>>

/** The scenarios of the server's folder, then those of the package. Each runs in its own world. */
export function ScenariosView({ path: [open] }: { path: readonly string[] }) {
  const { server, remote } = useApp()
  const { linkHere } = useLinks()
  const { params, field } = useParams()
  const [runs, setRuns] = useState<Runs>({})
  const { value, error } = useLoad(() => server.scenarios.list())
  const search = params.search ?? ''
  const shown = (value ?? []).filter(({ name, title }) => matchesWords(`${name} ${title}`, search))
  const isBusy = Object.values(runs).includes(null)

  const run = async (name: string) => {
    const set = (result: Runs[string]) => setRuns((all) => ({ ...all, [name]: result }))
    set(null)
    try {
      const { profile = 'documented' } = (await server.scenarios.get(name)) ?? {}
      // As on the command line. Else a scenario without them would have the world and the settings that are shown.
      set(await remote.scenarios.run(name, { world: 'default', profile }))
    } catch (error) {
      set(error as Error)
    }
  }
  const runAll = async () => {
    for (const { name, issue } of shown) if (issue === null) await run(name)
  }
  const columns: readonly DataColumn<ListedScenario>[] = [
    ['Run', ({ name }) => <Outcome run={runs[name]} />],
    [
      'Scenario',
      ({ name, title, from, issue }) => (
        <>
          <a class="opens" href={linkHere('scenarios', name)}>
            {title}
          </a>{' '}
          <code class="dim">{name}</code> {from === 'package' && <span class="tag">package</span>}
          {issue !== null && <p class="bad">{issue}</p>}
        </>
      ),
    ],
    [
      'Actions',
      ({ name, title, issue }) => (
        <Button
          {...{ label: 'Run', class: 'quiet', row: title }}
          disabled={issue !== null || isBusy}
          onClick={() => run(name)}
        />
      ),
      'actions',
    ],
  ]
  return (
    <Split
      label="Scenarios"
      detail={open !== undefined && <ScenarioDetail key={open} name={open} run={runs[open]} />}
    >
      <div class="row toolbar">
        <SearchField label="Search scenarios" {...field('search')} />
        <Button label="Run all" disabled={isBusy || shown.length === 0} onClick={runAll} />
      </div>
      <LoadError error={error} />
      {value && shown.length === 0 && <Empty title="No scenario matches the search." />}
      {shown.length > 0 && (
        <DataTable
          label="All scenarios"
          columns={columns}
          rows={shown}
          rowKey={({ name }) => name}
          rowClass={({ name }) => (name === open ? 'current' : '')}
        />
      )}
    </Split>
  )
}

function Outcome({ run }: { run: Runs[string] | undefined }) {
  if (run === undefined) return '–'
  if (run === null) return <span class="outcome">running</span>
  const outcome = !isError(run) && run.passed ? 'passed' : 'failed'
  return <span class={`outcome ${outcome}`}>{outcome}</span>
}

function ScenarioDetail({ name, run }: { name: string; run: Runs[string] | undefined }) {
  const { server } = useApp()
  const { linkHere } = useLinks()
  const { value: scenario, error } = useLoad(() => server.scenarios.get(name), [name])
  return (
    <Detail title={scenario?.title ?? name} back={linkHere('scenarios')}>
      <LoadError error={error ?? (isError(run) ? run : null)} />
      <p>{scenario?.description}</p>
      {run && !isError(run) ? (
        <JsonView label="Report" value={scenarioReport(run)} />
      ) : (
        <ol>
          {scenario?.steps.map((step, index) => (
            <li key={index}>{stepTitle(step)}</li>
          ))}
        </ol>
      )}
    </Detail>
  )
}
