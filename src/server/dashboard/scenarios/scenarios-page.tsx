import { useEffect, useMemo, useState } from 'preact/hooks'
import type { Scenario } from '../../../scenarios/format/scenario.ts'
import { useAction, useDashboard } from '../kit/context.ts'
import { ErrorMessage } from '../kit/feedback.tsx'
import { useLoad, useStore } from '../kit/hooks.ts'
import { SearchField } from '../kit/table.tsx'
import { RunView } from './run-view.tsx'
import { ScenarioRuns } from './runs.tsx'
import { ScenarioList } from './scenario-list.tsx'

/** Stories that are replayed beside the world, which stays as it is. */
export function ScenariosPage({ name }: { name: string | undefined }) {
  const { server, remote, link } = useDashboard()
  const { value = [], error, reload } = useLoad(() => server.scenarios.list(), [server])
  const runs = useStore(useMemo(() => new ScenarioRuns(remote), [remote]))
  const [profile, setProfile] = useState('')
  const [text, setText] = useState('')
  const act = useAction()
  useEffect(() => () => runs.stop(), [runs])
  const words = text.toLowerCase().split(/\s+/)
  const shown = value.filter(({ name, title }) =>
    words.every((word) => `${name} ${title}`.toLowerCase().includes(word)),
  )
  const run = (one: string) => runs.run(one, one, profile)
  const whole = shown.filter(({ fault }) => fault === null).map(({ name }) => name)
  const runFile = async (file: File) => {
    const scenario: Scenario = JSON.parse(await file.text())
    runs.run(file.name, scenario, profile)
    location.hash = link('scenarios', file.name)
  }
  return (
    <div class={name === undefined ? 'split' : 'split open'}>
      <section class="list" aria-label="Scenarios">
        <div class="toolbar">
          <SearchField placeholder="Search in titles" value={text} onChange={setText} />
          <label>
            <span class="unseen">Profile</span>
            <select
              value={profile}
              onChange={({ currentTarget }) => setProfile(currentTarget.value)}
            >
              <option value="">Their own profile</option>
              <option>documented</option>
              <option>live</option>
            </select>
          </label>
          <button
            type="button"
            class="primary"
            disabled={runs.isBusy}
            onClick={() => runs.runAll(whole, profile)}
          >
            {runs.isBusy ? 'Running…' : `Run all ${whole.length}`}
          </button>
          <label class="button">
            Run a file…
            <input
              type="file"
              class="unseen"
              accept=".json,application/json"
              onChange={({ currentTarget }) => {
                const [file] = currentTarget.files ?? []
                if (file) act(`Ran ${file.name}.`, () => runFile(file))
                currentTarget.value = ''
              }}
            />
          </label>
          <span class="count" role="status">
            {runs.summary}
          </span>
        </div>
        {error && <ErrorMessage error={error} onRetry={reload} />}
        <ScenarioList {...{ runs }} scenarios={shown} open={name} onRun={run} />
      </section>
      {name !== undefined && (
        <RunView
          name={name}
          run={runs.get(name)}
          onRun={() => run(name)}
          back={link('scenarios')}
        />
      )}
    </div>
  )
}
