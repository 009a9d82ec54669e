import type { JournalEntry } from '../../simulator/journal/entry.ts'
import { explanationsOf } from '../../simulator/journal/request-line.ts'
import type { Simulator } from '../../simulator/simulator.ts'
import { isUsageError, LimitError } from '../../utils/errors.ts'
import { loadWorld } from '../../world/load/load-world.ts'
import { checkKeys, type ParsedScenario, runError } from '../format/check-scenario.ts'
import { stepTitle } from '../format/scenario.ts'
import type { RunOptions, ScenarioSetup } from './options.ts'
import { type PlayedStep, play } from './play.ts'
import type { RunResult, StepResult } from './result.ts'
import type { Sender } from './sender.ts'

/** Why the response to a step is as it is. */
type Explanation = Pick<StepResult, 'settings' | 'decided_by' | 'undecided' | 'reasons'>

export interface Opened {
  readonly sender: Sender
  /** Explains a step that failed. @param follows whether an earlier write or change failed */
  readonly explain: (played: PlayedStep, follows: boolean) => Promise<Explanation>
  /** Ends the run: no further step is sent */
  readonly signal?: AbortSignal | undefined
}

/** @throws UsageError for an unknown key, UnreachableError if no server responds, and the reason of the signal */
export async function runScenario(
  scenario: ParsedScenario,
  open: () => Promise<Opened>,
  { dry_run, onStep }: RunOptions = {},
): Promise<RunResult> {
  const { title, steps } = scenario
  const { sender, explain, signal } = await open()
  try {
    checkKeys(steps, sender.labels())
    const start = performance.now()
    const results: StepResult[] = []
    let before = start
    let follows = false
    let length = 0
    for await (const played of play({ steps: dry_run ? [] : steps }, sender, signal)) {
      const ms = performance.now() - before
      // What was not sent, settings may decide by what an earlier step saved.
      const isExplained = played.result.outcome === 'failed' && played.result.response !== null
      const result: StepResult = {
        ...toStepResult(played, ms),
        ...(isExplained && (await explain(played, follows))),
      }
      results.push(result)
      length += result.response?.text.length ?? 0
      // The result has each response.
      if (length > 2 ** 28)
        throw new LimitError('Failed to run the scenario: responses have more than 256 MiB.')
      follows ||= result.outcome === 'failed' && result.request?.method !== 'GET'
      await onStep?.(result)
      before = performance.now()
    }
    const ms = dry_run ? 0 : performance.now() - start
    return { title, passed: arePassed(results), base_url: sender.baseUrl, ms, steps: results }
  } finally {
    await sender.close()
  }
}

/** The result of a step that was played, without an explanation. @param ms how long it took */
export function toStepResult({ index, step, result }: PlayedStep, ms = 0): StepResult {
  return { step: index + 1, title: stepTitle(step), ms, ...result, settings: [], decided_by: [] }
}

export function arePassed(results: readonly StepResult[]): boolean {
  return results.every(({ outcome }) => outcome === 'passed')
}

/** What the journal says about a response. */
export function explanationOf(
  entry: Pick<JournalEntry, 'settings' | 'reason' | 'ignored'> | undefined | null,
): Explanation {
  if (!entry) return { settings: [], decided_by: [] }
  const settings = entry.settings.map(({ id }) => id)
  return { settings, decided_by: [], reasons: explanationsOf(entry) }
}

/** Opens a copy of a simulator in which a scenario starts: by default with the current rows. @throws UsageError */
export function openRun(setup: ScenarioSetup, simulator: Simulator): Simulator {
  return simulator.forkForRun(loadSetupWorld(setup, simulator), setup)
}

function loadSetupWorld({ world }: ScenarioSetup, { state, sandboxes }: Simulator) {
  if (world === undefined) return state.snapshot()
  if (typeof world !== 'string') return loadWorld(world, state.settings)
  try {
    return sandboxes.loadSource(world)
  } catch (error) {
    if (!isUsageError(error)) throw error
    throw runError([{ path: ['world'], text: error.reason }])
  }
}
