import {
  findKeyFor,
  findStepsNotRun,
  markSearchedRows,
} from '../analysis/observe/adapt-scenario.ts'
import { parseScenario } from '../scenarios/format/check-scenario.ts'
import { isRequestStep, type Scenario, stepTitle } from '../scenarios/format/scenario.ts'
import { readScenario } from '../scenarios/library.ts'
import { findHttpTargetIssues } from '../scenarios/run/target.ts'
import { UsageError } from '../utils/usage-error.ts'
import type { CheckedStep } from './check-report.ts'

/** A scenario for a server, with the steps that are run. */
export interface CheckRun {
  readonly whole: Scenario
  readonly scenario: Scenario
  /** The numbers of its steps in the whole scenario */
  readonly numbers: readonly number[]
  readonly notRun: readonly CheckedStep[]
}

/** A file that cannot be checked. */
export interface Unsuitable {
  readonly file: string
  readonly error: UsageError
}

/** Reads scenario files, and chooses the steps that can be run. @param marker a word that no other row contains */
export async function readRuns(
  files: readonly string[],
  keys: Readonly<Record<string, string>>,
  allowWrites: boolean,
  marker: string,
): Promise<{ readonly runs: readonly CheckRun[]; readonly unsuitable: readonly Unsuitable[] }> {
  const runs: CheckRun[] = []
  const unsuitable: Unsuitable[] = []
  for (const file of files) {
    try {
      runs.push(await readRun(file, keys, allowWrites, marker))
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      unsuitable.push({ file, error })
    }
  }
  return { runs, unsuitable }
}

async function readRun(
  file: string,
  keys: Readonly<Record<string, string>>,
  allowWrites: boolean,
  marker: string,
): Promise<CheckRun> {
  const whole = await readScenario(file)
  const reasons = findStepsNotRun(whole, keys, allowWrites)
  const numbers = reasons.flatMap((reason, index) => (reason === null ? [index + 1] : []))
  const steps = whole.steps.filter((_, index) => reasons[index] === null)
  const issues =
    steps.length === 0
      ? []
      : findHttpTargetIssues(parseScenario({ ...whole, steps }), { allow_writes: true })
  if (issues.length > 0) throw new UsageError(`${file} cannot run on a server.`, issues)
  const notRun = whole.steps.flatMap((step, index): CheckedStep[] => {
    const reason = reasons[index] ?? null
    if (reason === null) return []
    const details = { step: index + 1, title: stepTitle(step), policies: [], reason }
    return [{ scenario: whole.title, verdict: 'not run', ...details }]
  })
  const scenario = markSearchedRows({ ...whole, steps }, marker)
  return { whole, scenario, numbers, notRun }
}

export function labelsOf({ steps }: Scenario): string[] {
  return steps.flatMap((step) => (isRequestStep(step) && step.as !== undefined ? [step.as] : []))
}

/** The keys of the steps of a scenario, by their labels. */
export function keysOf(
  scenario: Scenario,
  keys: Readonly<Record<string, string>>,
): Record<string, string> {
  const found = labelsOf(scenario).map((label) => [label, findKeyFor(label, keys) ?? ''])
  return Object.fromEntries(found)
}
