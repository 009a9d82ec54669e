import { Clapperboard, Play } from 'lucide'
import { useEffect, useMemo } from 'preact/hooks'
import type { Profile } from '../../../policies/settings.ts'
import { defaultWorld } from '../../../remote/client.ts'
import type { Remote } from '../../../remote/connect.ts'
import type { ListedScenario, Scenario } from '../../../scenarios/format/scenario.ts'
import type { StepDifference } from '../../../scenarios/run/differences.ts'
import type { ReplayResult, StepResult } from '../../../scenarios/run/result.ts'
import { useDashboard, useServer, useViewParams, withoutEmpty } from '../kit/context.ts'
import { Button, FileButton, SearchField, Select } from '../kit/fields.tsx'
import { jsonOrText } from '../kit/form.tsx'
import { formatCount, formatDuration, matchesWords } from '../kit/format.ts'
import { none, PolicyList } from '../kit/inline.tsx'
import { DetailPanel, EmptyState, ErrorMessage, SplitView } from '../kit/panels.tsx'
import { Store, useLoad, useStore } from '../kit/store.ts'
import { type Column, JsonView, Table } from '../kit/table.tsx'

const profileOptions = [
  ['', 'Profile of each scenario'],
  ['world', 'Policies of this world'],
  ['documented', 'Profile documented'],
  ['live', 'Profile live'],
] as const

type ProfileChoice = (typeof profileOptions)[number][0]

/** Replays scenarios. Each runs in a world of its own, so the selected world does not change. */
export function ScenariosPage({ name: open }: { name: string | undefined }) {
  const { notifications, open: openView, linkHere } = useDashboard()
  const { main, selected: remote } = useServer()
  const { value = [], error, reload } = useLoad(() => main.scenarios.list(), [main])
  const runs = useStore(useMemo(() => new ScenarioRuns(remote), [remote]))
  const { params, field } = useViewParams({ search: '', profile: '' })
  const { search } = params
  const profile = params.profile as ProfileChoice
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
          <FileButton label="Run file…" accept=".json,application/json" onSelect={runFile} />
        </div>
      </div>
      <ErrorMessage error={error} reload={reload} />
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

interface ScenarioRun {
  readonly steps: readonly StepResult[]
  /** Null while the replay is running, and after an error */
  readonly result: ReplayResult | null
  readonly error: Error | null
}

class ScenarioRuns extends Store {
  readonly #remote: Remote
  readonly #runs = new Map<string, ScenarioRun>()
  #isStopped = false

  constructor(remote: Remote) {
    super()
    this.#remote = remote
  }

  get(name: string): ScenarioRun | undefined {
    return this.#runs.get(name)
  }

  get isBusy(): boolean {
    return [...this.#runs.values()].some(({ result, error }) => !result && !error)
  }

  get summary(): string {
    const runs = [...this.#runs.values()]
    const finished = runs.filter(({ result, error }) => result !== null || error !== null)
    if (finished.length === 0) return ''
    const passed = finished.filter(({ result }) => result?.passed).length
    return passed === finished.length
      ? `${passed} passed`
      : `${passed} of ${finished.length} passed`
  }

  async runAll(names: readonly string[], profile: ProfileChoice): Promise<void> {
    for (const name of names) if (!this.#isStopped) await this.run(name, name, profile)
  }

  /** Never throws: errors become part of the run. */
  async run(name: string, scenario: string | Scenario, choice: ProfileChoice): Promise<void> {
    const steps: StepResult[] = []
    this.#set(name, { steps, result: null, error: null })
    const onStep = (step: StepResult): void => {
      steps.push(step)
      this.#set(name, { steps: [...steps], result: null, error: null })
    }
    try {
      const profile = await this.#profileOf(scenario, choice)
      const options = { world: defaultWorld, ...withoutEmpty({ profile }) }
      const result = await this.#remote.scenarios.replay(scenario, { ...options, onStep })
      this.#set(name, { steps: result.steps, result, error: null })
    } catch (error) {
      this.#set(name, { steps, result: null, error: error as Error })
    }
  }

  /** Without a profile, a replay would have the policies of this world. A scenario that names none is documented. */
  async #profileOf(scenario: string | Scenario, choice: ProfileChoice): Promise<Profile | ''> {
    if (choice === 'world') return ''
    if (choice !== '') return choice
    const { scenarios } = this.#remote
    const whole = typeof scenario === 'string' ? await scenarios.get(scenario) : scenario
    return whole?.profile ?? 'documented'
  }

  stop(): void {
    this.#isStopped = true
  }

  #set(name: string, run: ScenarioRun): void {
    this.#runs.set(name, run)
    this.notify()
  }
}

function RunOutcome(props: { run: ScenarioRun | undefined; stepCount: number }) {
  const { run, stepCount } = props
  if (!run) return none
  const { result, error } = run
  if (error) return <span class="outcome failed">error</span>
  if (result === null) {
    return (
      <progress max={stepCount} value={run.steps.length} aria-label="Replay progress">
        {run.steps.length} of {stepCount}
      </progress>
    )
  }
  const outcome = result.passed ? 'passed' : 'failed'
  return <span class={`outcome ${outcome}`}>{outcome}</span>
}

/** One line: why a run failed. */
function FirstIssue({ run }: { run: ScenarioRun | undefined }) {
  if (run?.error) return <p class="issue">{run.error.message.split('\n')[0]}</p>
  const step = run?.steps.find(({ differences }) => differences.length > 0)
  const [difference] = step?.differences ?? []
  if (!step || !difference) return null
  const { where, expected, got } = difference
  const [wanted, actual] = [expected, got].map((value) => JSON.stringify(value)?.slice(0, 60))
  return (
    <p class="issue">
      Step {step.step}, {where}: expected {wanted ?? 'nothing'}, got {actual ?? 'nothing'}
    </p>
  )
}

function RunView(props: { name: string; run: ScenarioRun | undefined; onRun: () => void }) {
  const { name, run, onRun } = props
  const { linkHere } = useDashboard()
  const { main } = useServer()
  // Undefined for a scenario that was run from a local file.
  const { value: scenario } = useLoad(() => main.scenarios.get(name), [main, name])
  const failedStep = run?.steps.find(({ differences }) => differences.length > 0)
  const world = run?.result?.assumed_world
  const stepCount = scenario?.steps.length ?? run?.steps.length ?? 0
  const runButton = scenario && <Button label="Run" class="primary" icon={Play} onClick={onRun} />
  return (
    <DetailPanel
      key={name}
      label="Scenario"
      title={scenario?.title ?? run?.result?.title ?? name}
      actions={runButton}
      back={linkHere('scenarios')}
    >
      {scenario?.description && <p>{scenario.description}</p>}
      <p class="facts">
        <RunOutcome run={run} stepCount={stepCount} />
        {run?.result && <span>{formatDuration(run.result)}</span>}
        <span>{formatCount(stepCount, 'step')}</span>
      </p>
      <ErrorMessage error={run?.error} />
      {world !== undefined && (
        <p>
          {name} names no world; replayed in "{world}". Add "world" to the file if it started with
          another one.
        </p>
      )}
      {failedStep && <FirstDifference step={failedStep} />}
      <StepList titles={stepTitles(scenario)} steps={run?.steps ?? []} />
      {scenario && (
        <details>
          <summary>Scenario file</summary>
          <JsonView value={scenario} label="Scenario file" />
        </details>
      )}
    </DetailPanel>
  )
}

function stepTitles(scenario: Scenario | undefined): string[] {
  return (scenario?.steps ?? []).map((step) => {
    if (step.title !== undefined) return step.title
    return 'method' in step ? `${step.method} ${step.path}` : (Object.keys(step)[0] ?? '')
  })
}

function FirstDifference({ step }: { step: StepResult }) {
  const { response, decided_by: policies } = step
  const [first, ...others] = step.differences as [StepDifference, ...StepDifference[]]
  return (
    <section class="difference" aria-label="First difference">
      <h3>
        First difference: step {step.step}, <code>{first.where}</code>
      </h3>
      <p class="long-text dim">
        {step.title}
        {step.request && ` · ${step.request.method} ${step.request.url}`}
      </p>
      <div class="pair">
        {Object.entries({ Expected: first.expected, Actual: first.got }).map(([title, value]) => (
          <div key={title}>
            <h4>{title}</h4>
            <JsonView value={value === undefined ? '(missing)' : value} label={title} />
          </div>
        ))}
      </div>
      <PolicyList
        policies={policies}
        before="Due to policy "
        after={({ would_be }) => ['; this step passes with ', <code key="code">{would_be}</code>]}
      />
      {others.length > 0 && (
        <p class="dim">Also different: {others.map(({ where }) => where).join(', ')}</p>
      )}
      {response && (
        <details>
          <summary>Full response</summary>
          <JsonView value={jsonOrText(response.text)} label="Full response" />
        </details>
      )}
    </section>
  )
}

/** @param props.titles the titles of all steps; empty if the scenario is not known */
function StepList({ titles, steps }: { titles: string[]; steps: readonly StepResult[] }) {
  const indexes = Array.from({ length: Math.max(titles.length, steps.length) }, (_, index) => index)
  return (
    <section>
      <h3>Steps</h3>
      <ol class="steps">
        {indexes.map((index) => {
          const step = steps[index]
          const outcome = step?.outcome
          return (
            <li key={index}>
              <span class={`outcome ${outcome ?? 'not-run'}`}>
                {outcome === 'prepared' ? 'setup' : (outcome ?? 'not run')}
              </span>
              <span class="long-text">{step?.title ?? titles[index]}</span>
              {step?.response && <span class="dim">{step.response.status || 'dropped'}</span>}
              {step && <span class="dim">{formatDuration(step)}</span>}
            </li>
          )
        })}
      </ol>
    </section>
  )
}
