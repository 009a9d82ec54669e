import { useEffect, useMemo, useState } from 'preact/hooks'
import type { Scenario } from '../../../scenarios/format/scenario.ts'
import { useDashboard } from '../kit/context.ts'
import { ErrorMessage } from '../kit/feedback.tsx'
import { matchesWords } from '../kit/format.ts'
import { useLoad, useStore } from '../kit/hooks.ts'
import { SearchField } from '../kit/table.tsx'
import { RunView } from './run-view.tsx'
import { ScenarioRuns } from './runs.tsx'
import { ScenarioList } from './scenario-list.tsx'

/** Replays scenarios. Each runs in a world of its own, so the selected world does not change. */
export function ScenariosPage({ name: open }: { name: string | undefined }) {
  const { server, remote, link, notifications } = useDashboard()
  const { value = [], error, reload } = useLoad(() => server.scenarios.list(), [server])
  const runs = useStore(useMemo(() => new ScenarioRuns(remote), [remote]))
  const [profile, setProfile] = useState('')
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
  return (
    <div class={open === undefined ? 'split' : 'split open'}>
      <section class="list" aria-label="Scenarios">
        <div class="toolbar">
          <SearchField placeholder="Search scenarios" value={search} onChange={setSearch} />
          <label>
            <span class="visually-hidden">Profile</span>
            <select
              value={profile}
              onChange={({ currentTarget }) => setProfile(currentTarget.value)}
            >
              <option value="">Profile of each scenario</option>
              <option value="documented">Profile documented</option>
              <option value="live">Profile live</option>
            </select>
          </label>
          <span class="count" role="status">
            {runs.summary}
          </span>
          <div class="actions">
            <button
              type="button"
              class="primary"
              disabled={runs.isBusy}
              onClick={() => runs.runAll(runnable, profile)}
            >
              {runs.isBusy ? 'Running…' : `Run all (${runnable.length})`}
            </button>
            <FileButton onSelect={runFile} />
          </div>
        </div>
        {error && <ErrorMessage error={error} onRetry={reload} />}
        <ScenarioList {...{ runs, open }} scenarios={shown} onRun={run} />
      </section>
      {open !== undefined && (
        <RunView
          name={open}
          run={runs.get(open)}
          onRun={() => run(open)}
          back={link('scenarios')}
        />
      )}
    </div>
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
