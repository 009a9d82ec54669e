import { Clapperboard, Play } from 'lucide'
import { useEffect, useMemo } from 'preact/hooks'
import type { ListedScenario, Scenario } from '../../../scenarios/format/scenario.ts'
import { useDashboard, useViewParams } from '../kit/context.ts'
import { Button, SearchField, Select } from '../kit/fields.tsx'
import { matchesWords } from '../kit/format.ts'
import { EmptyState, ErrorMessage, SplitView } from '../kit/panels.tsx'
import { useLoad, useStore } from '../kit/store.ts'
import { type Column, Table } from '../kit/table.tsx'
import { FirstIssue, RunOutcome, RunView, ScenarioRuns } from './run-view.tsx'

const profileOptions = [
  ['', 'Profile of each scenario'],
  ['documented', 'Profile documented'],
  ['live', 'Profile live'],
] as const

/** Replays scenarios. Each runs in a world of its own, so the selected world does not change. */
export function ScenariosPage({ name: open }: { name: string | undefined }) {
  const { server, remote, notifications, open: openView, linkHere } = useDashboard()
  const { value = [], error, reload } = useLoad(() => server.scenarios.list(), [server])
  const runs = useStore(useMemo(() => new ScenarioRuns(remote), [remote]))
  const { params, field } = useViewParams({ search: '', profile: '' })
  const { search } = params
  const profile = params.profile as (typeof profileOptions)[number][0]
  useEffect(() => () => runs.stop(), [runs])
  const shown = value.filter(({ name, title }) => matchesWords(`${name} ${title}`, search))
  const runnable = shown.filter(({ issue }) => issue === null).map(({ name }) => name)
  const run = (name: string) => runs.run(name, name, profile)
  const runFile = async (file: File) => {
    try {
      const scenario: Scenario = JSON.parse(await file.text())
      runs.run(file.name, scenario, profile)
      openView(linkHere('scenarios', file.name))
    } catch (error) {
      notifications.showError(`${file.name} is not valid JSON: ${(error as Error).message}`)
    }
  }
  const columns: readonly Column<ListedScenario>[] = [
    [
      'when',
      'Last run',
      ({ name, steps }) => <RunOutcome run={runs.get(name)} stepCount={steps} />,
    ],
    [
      'content',
      'Scenario',
      ({ name, title, from, issue }) => (
        <>
          <a class="opens" href={linkHere('scenarios', name)} title={name}>
            {title}
          </a>{' '}
          {from === 'folder' && <span class="tag">from your folder: {name}</span>}
          {issue !== null && <p class="bad">{issue}</p>}
          <FirstIssue run={runs.get(name)} />
        </>
      ),
    ],
    ['number wide', 'Steps', ({ steps }) => steps],
  ]
  const detail = open !== undefined && (
    <RunView name={open} run={runs.get(open)} onRun={() => run(open)} />
  )
  return (
    <SplitView label="Scenarios" detail={detail}>
      <div class="toolbar">
        <SearchField placeholder="Search scenarios" {...field('search')} />
        <Select label="Profile" hideLabel options={profileOptions} {...field('profile')} />
        <span class="count" role="status">
          {runs.summary}
        </span>
        <div class="actions">
          <Button
            label={runs.isBusy ? 'Running…' : `Run all (${runnable.length})`}
            class="primary"
            icon={Play}
            disabled={runs.isBusy}
            onClick={() => runs.runAll(runnable, profile)}
          />
          <FileButton onSelect={runFile} />
        </div>
      </div>
      {error && <ErrorMessage error={error} onRetry={reload} />}
      {shown.length === 0 ? (
        <EmptyState
          icon={Clapperboard}
          title={value.length === 0 ? 'No scenarios.' : 'No scenarios match the search.'}
        >
          Save requests as a scenario, or start the server with --scenarios FOLDER.
        </EmptyState>
      ) : (
        <Table
          class="rows linked"
          columns={columns}
          rows={shown}
          rowKey={({ name }) => name}
          rowClass={({ name }) => (name === open ? 'current' : '')}
          actions={({ name, title, issue }) => (
            <Button
              label="Run"
              class="quiet"
              row={title}
              disabled={issue !== null}
              onClick={() => run(name)}
            />
          )}
        />
      )}
    </SplitView>
  )
}

function FileButton({ onSelect }: { onSelect: (file: File) => void }) {
  return (
    <label class="button">
      Run file…
      <input
        type="file"
        class="visually-hidden"
        accept=".json,application/json"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? []
          if (file) onSelect(file)
          // Lets the same file be selected again.
          currentTarget.value = ''
        }}
      />
    </label>
  )
}
