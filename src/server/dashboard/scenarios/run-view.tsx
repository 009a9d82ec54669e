import { Play } from 'lucide'
import type { Profile } from '../../../policies/settings.ts'
import { defaultWorld } from '../../../remote/client.ts'
import type { Remote } from '../../../remote/connect.ts'
import type { Scenario } from '../../../scenarios/format/scenario.ts'
import type { ReplayResult, StepDifference, StepResult } from '../../../scenarios/run/result.ts'
import { useDashboard } from '../kit/context.ts'
import { Button } from '../kit/fields.tsx'
import { formatCount } from '../kit/format.ts'
import { PolicySetting } from '../kit/inline.tsx'
import { DetailPanel, ErrorMessage } from '../kit/panels.tsx'
import { Store, useLoad } from '../kit/store.ts'
import { JsonView } from '../kit/table.tsx'

interface ScenarioRun {
  readonly steps: readonly StepResult[]
  /** Null while the replay is running, and after an error */
  readonly result: ReplayResult | null
  readonly error: Error | null
}

export class ScenarioRuns extends Store {
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

  async runAll(names: readonly string[], profile: Profile | ''): Promise<void> {
    for (const name of names) if (!this.#isStopped) await this.run(name, name, profile)
  }

  /** Never throws: errors become part of the run. An empty profile stands for the scenario's own. */
  async run(name: string, scenario: string | Scenario, profile: Profile | ''): Promise<void> {
    const steps: StepResult[] = []
    this.#set(name, { steps, result: null, error: null })
    const onStep = (step: StepResult): void => {
      steps.push(step)
      this.#set(name, { steps: [...steps], result: null, error: null })
    }
    const options = { world: defaultWorld, ...(profile !== '' && { profile }) }
    try {
      const result = await this.#remote.scenarios.replay(scenario, { ...options, onStep })
      this.#set(name, { steps: result.steps, result, error: null })
    } catch (error) {
      this.#set(name, { steps, result: null, error: error as Error })
    }
  }

  stop(): void {
    this.#isStopped = true
  }

  #set(name: string, run: ScenarioRun): void {
    this.#runs.set(name, run)
    this.notify()
  }
}

export function RunOutcome(props: { run: ScenarioRun | undefined; stepCount: number }) {
  const { run, stepCount } = props
  if (!run) return <span class="dim">–</span>
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
export function FirstIssue({ run }: { run: ScenarioRun | undefined }) {
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

export function RunView(props: { name: string; run: ScenarioRun | undefined; onRun: () => void }) {
  const { name, run, onRun } = props
  const { server, linkHere } = useDashboard()
  // Undefined for a scenario that was run from a local file.
  const { value: scenario } = useLoad(() => server.scenarios.get(name), [server, name])
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
        {run?.result && <span>{run.result.ms.toFixed(1)} ms</span>}
        <span>{formatCount(stepCount, 'step')}</span>
      </p>
      {run?.error && <ErrorMessage error={run.error} />}
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
      {policies.length > 0 && (
        <ul class="plain policies">
          {policies.map((policy) => (
            <li key={policy.id}>
              Due to policy <PolicySetting policy={policy} />; this step passes with{' '}
              <code>{policy.would_be}</code>
            </li>
          ))}
        </ul>
      )}
      {others.length > 0 && (
        <p class="dim">Also different: {others.map(({ where }) => where).join(', ')}</p>
      )}
      {response && (
        <details>
          <summary>Full response</summary>
          <JsonView value={parseJsonOrText(response.text)} label="Full response" />
        </details>
      )}
    </section>
  )
}

function parseJsonOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
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
              {step && <span class="dim">{step.ms.toFixed(1)} ms</span>}
            </li>
          )
        })}
      </ol>
    </section>
  )
}
