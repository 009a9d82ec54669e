import { useEffect, useMemo, useState } from 'preact/hooks'
import type { ListedScenario, Scenario } from '../../../scenarios/format/scenario.ts'
import { useDashboard } from '../kit/context.ts'
import { Button, SearchField, Select } from '../kit/form.tsx'
import { matchesWords } from '../kit/format.ts'
import { useLoad, useStore } from '../kit/hooks.ts'
import { EmptyState, ErrorMessage, SplitView } from '../kit/panels.tsx'
import { type Column, Table } from '../kit/table.tsx'
import { RunOutcome, RunView, ScenarioRuns } from './run-view.tsx'

const profileOptions = [
  ['', 'Profile of each scenario'],
  ['documented', 'Profile documented'],
  ['live', 'Profile live'],
] as const

/** Replays scenarios. Each runs in a world of its own, so the selected world does not change. */
export function ScenariosPage({ name: open }: { name: string | undefined }) {
  const { server, remote, link, notifications } = useDashboard()
  const { value = [], error, reload } = useLoad(() => server.scenarios.list(), [server])
  const runs = useStore(useMemo(() => new ScenarioRuns(remote), [remote]))
  const [profile, setProfile] = useState<(typeof profileOptions)[number][0]>('')
  const [search, setSearch] = useState('')
  useEffect(() => () => runs.stop(), [runs])
  const shown = value.filter(({ name, title }) => matchesWords(`${name} ${title}`, search))
  const runnable = shown.filter(({ issue }) => issue === null).map(({ name }) => name)
  const run = (name: string) => runs.run(name, name, profile)
  const runFile = async (file: File) => {
    try {
      const scenario: Scenario = JSON.parse(await file.text())
      runs.run(file.name, scenario, profile)
      location.hash = link('scenarios', file.name)
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
          <a href={link('scenarios', name)} title={name}>
            {title}
          </a>{' '}
          {from === 'folder' && <span class="tag">from your folder: {name}</span>}
          {issue !== null && <p class="bad">{issue}</p>}
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
        <SearchField placeholder="Search scenarios" value={search} onChange={setSearch} />
        <Select
          label="Profile"
          hideLabel
          options={profileOptions}
          value={profile}
          onChange={setProfile}
        />
        <span class="count" role="status">
          {runs.summary}
        </span>
        <div class="actions">
          <Button
            class="primary"
            disabled={runs.isBusy}
            onClick={() => runs.runAll(runnable, profile)}
          >
            {runs.isBusy ? 'Running…' : `Run all (${runnable.length})`}
          </Button>
          <FileButton onSelect={runFile} />
        </div>
      </div>
      {error && <ErrorMessage error={error} onRetry={reload} />}
      {shown.length === 0 ? (
        <EmptyState title="No scenarios match the search." />
      ) : (
        <Table
          class="rows linked"
          columns={columns}
          rows={shown}
          rowKey={({ name }) => name}
          rowClass={({ name }) => (name === open ? 'current' : '')}
          actions={({ name, title, issue }) => (
            <Button class="quiet" row={title} disabled={issue !== null} onClick={() => run(name)}>
              Run
            </Button>
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
