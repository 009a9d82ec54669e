import type { Report, TestCase, TestSuite } from '../../utils/reports/report.ts'
import { escapeControls } from '../../utils/text.ts'
import { formatDetails, type RunResult, type StepResult, scenarioReport } from './result.ts'

/** What became of a file of a scenario. */
export interface ReplayedFile {
  readonly file: string
  /** Null if the target did not respond, or the user interrupted the replay */
  readonly result: RunResult | null
  /** Whether all steps passed, or were updated */
  readonly accepted: boolean
  /** Why there is no result: the target did not respond, or the user interrupted the replay */
  readonly error: string | null
}

/** Converts the results of a replay for printers. For JUnit, a file is a suite and a step is a case. */
export function replayToReport(replayed: readonly ReplayedFile[]): Report {
  const passed = replayed.filter(({ result }) => result?.passed).length
  return {
    title: `Replay: ${passed} of ${replayed.length} scenarios passed`,
    text: replayed.map(toText).join('\n\n'),
    json: replayed,
    junit: { name: 'understudy replay', suites: replayed.map(toSuite) },
  }
}

function toText({ file, result, error }: ReplayedFile): string {
  return `${escapeControls(file)}: ${result ? scenarioReport(result) : error}`
}

function toSuite({ file, result, error }: ReplayedFile): TestSuite {
  const steps = (result?.steps ?? []).filter(({ outcome }) => outcome !== 'prepared')
  const cases = steps.map((step): TestCase => {
    const problem = toProblem(step)
    const name = `${step.step} ${step.title}`
    return { name, classname: file, ms: step.ms, ...(problem && { problem }) }
  })
  if (error !== null) {
    const problem = { kind: 'error', message: error } as const
    cases.push({ name: 'replay', classname: file, problem })
  }
  return { name: result?.title ?? file, ms: result?.ms ?? 0, cases }
}

function toProblem(step: StepResult): TestCase['problem'] | null {
  if (step.outcome === 'passed') return null
  const message = step.differences.map(({ where }) => where).join(', ')
  if (step.outcome === 'skipped') return { kind: 'skipped', message }
  return { kind: 'failure', message, type: 'difference', text: formatDetails(step).join('\n') }
}
