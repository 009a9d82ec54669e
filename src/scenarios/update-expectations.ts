import { formatJson } from '../utils/format-json.ts'
import type { Input } from '../utils/input.ts'
import { mapValues } from '../utils/json.ts'
import { Clock } from '../world/clock/clock.ts'
import { writeNamedFile } from '../world/persistence/atomic-write.ts'
import type { Scenario } from './format/scenario.ts'
import { escapeBraces, escapeLiterals, isTime } from './format/values.ts'
import type { RunOptions } from './run/options.ts'
import { parseTextBody } from './run/play.ts'
import type { RunResult, StepDifference, StepResult } from './run/result.ts'

/** Makes a scenario expect the responses of a replay. Only values that differ are replaced: matchers that hold stay. */
export function updateExpectations(before: Scenario, result: RunResult): Scenario {
  const scenario = structuredClone(before)
  const write = expectedValue(before, result.base_url)
  for (const step of result.steps) {
    for (const difference of step.differences) {
      if (difference.path[0] === 'expect') expectActual(scenario, step, difference, write)
    }
  }
  return scenario
}

function expectActual(
  { steps }: Scenario,
  { step, response }: StepResult,
  { path, got: actual }: StepDifference,
  write: (actual: unknown) => unknown,
) {
  const changed = steps[step - 1] as object
  if (path[1] === 'broken') {
    const { status = 0, text = '' } = response ?? {}
    const body = parseTextBody(text)
    const expect =
      status === 0 ? { broken: true } : { status, ...(body !== undefined && { body: write(body) }) }
    Object.assign(changed, { expect })
    return
  }
  const [name = '', ...outer] = path.toReversed()
  const parent = outer.reduceRight<unknown>(
    (value, field) => (value as Record<string, unknown>)[field],
    changed,
  ) as Record<string, unknown>
  if (actual !== undefined) parent[name] = write(actual)
  else if (path[1] === 'headers') parent[name] = null
  else if (outer.length === 1) parent[name] = { $match: 'absent' }
  else delete parent[name]
}

/**
 * Returns a function that writes an actual value as each replay can repeat it: links begin with `{base_url}`, and without
 * a frozen clock, a time that the scenario does not set becomes a matcher.
 */
function expectedValue({ world, clock, steps }: Scenario, baseUrl: string) {
  const clocks = [{ clock }, ...steps].flatMap((step) => ('clock' in step && step.clock) || [])
  const isFrozen = clocks.some((value) => new Clock(value).mode === 'frozen')
  const sent = JSON.stringify([world, steps.map((step) => ({ ...step, expect: null }))])
  const write = (actual: unknown) => {
    if (typeof actual === 'string') {
      if (isTime(actual) && !isFrozen && !sent.includes(actual)) return { $match: 'time' }
      const text = escapeBraces(actual).replaceAll(`${baseUrl}/`, '{base_url}/')
      return text === escapeBraces(actual) ? actual : { $saved: text }
    }
    if (typeof actual !== 'object' || actual === null) return actual
    const escaped = escapeLiterals(actual)
    return escaped === actual ? mapValues(actual, write) : escaped
  }
  return write
}

/**
 * Writes the actual responses to a file, and the profile and the world that they come from.
 *
 * @returns whether the file then has no difference, and a sentence that says what was written
 */
export async function updateFile(
  input: Input,
  result: RunResult,
  { profile, world }: Pick<RunOptions, 'profile' | 'world'>,
): Promise<{ accepted: boolean; sentence: string }> {
  const { name: file } = input
  const before = input.json() as Scenario
  const isNamed = world === 'default' || before.world !== undefined
  const setup = { ...(profile && { profile }), ...(!isNamed && { world }) }
  const { steps, ...head } = updateExpectations(before, result)
  const text = `${formatJson({ ...head, ...setup, steps })}\n`
  await writeNamedFile(file, text, 0o666)
  const accepted = !result.steps.some(
    ({ outcome, differences }) =>
      outcome === 'skipped' || differences.some(({ path }) => path[0] !== 'expect'),
  )
  const exception = accepted ? '' : ', except for differences that cannot be written'
  const fields = Object.keys(setup).join(' and ')
  const start = fields && ` It now has the ${fields} of this replay.`
  return {
    accepted,
    sentence: `Updated ${file} to expect the actual responses${exception}.${start}`,
  }
}
