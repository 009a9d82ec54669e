import { isObject } from '../differences.ts'
import { freeWords } from '../free-words.ts'
import { adjust, settle } from '../policies/settings.ts'
import { levelsOf } from '../python/levels.ts'
import { show, UsageError } from '../usage-error.ts'
import { version } from '../version.ts'
import { Clock } from '../world/clock.ts'
import { faultsOf } from '../world/faults.ts'
import { mostNested } from '../world/json-value.ts'
import { type FreeWord, faultsOfWorld } from '../world/load.ts'
import { saveFaults } from './check-saves.ts'
import { stepFaults } from './check-step.ts'
import { faultsWithin } from './faults-within.ts'
import { type Scenario, type Step, scenarioVersion } from './scenario.ts'
import { headSchema } from './schema.ts'

/**
 * A scenario as it was given, once nothing is wrong with it.
 *
 * @throws UsageError with every fault and its path, such as `steps[2].expect.status`
 */
export function checkScenario(given: unknown): Scenario {
  const faults = faultsOfScenario(given)
  if (faults.length === 0) return given as Scenario
  throw refused(faults)
}

/** What is said of a scenario that is not replayed. */
export function refused(faults: readonly string[], name = 'the scenario'): UsageError {
  const count = faults.length === 1 ? 'a fault' : `${faults.length} faults`
  return new UsageError(`Failed to replay ${name}: it has ${count}. Nothing was run.`, faults)
}

/** Every fault of a scenario, each with its path; none for one that can be replayed. */
export function faultsOfScenario(given: unknown): string[] {
  if (!isObject(given))
    return [`scenario: expected an object with title and steps, got ${show(given)}`]
  if (isTooDeep(given))
    return [`scenario: expected at most ${mostNested} levels within one another`]
  const { format_version: format } = given
  if (typeof format === 'number' && format > scenarioVersion) {
    return [
      `format_version: expected at most ${scenarioVersion}, got ${format}: a later version of understudy-api made ` +
        `this file than the one that reads it, ${version}. Update this one.`,
    ]
  }
  const { steps, ...head } = given
  if (!Array.isArray(steps))
    return [...headFaults(head), `steps: expected a list, got ${show(steps)}`]
  const faults = [
    ...headFaults(head),
    ...(steps.length === 0 ? ['steps: expected at least one, got []'] : []),
    ...steps.flatMap((step, index) => stepFaults(step, `steps[${index}]`)),
  ]
  // Where a step is no step, what it saves is not known.
  return faults.length > 0 ? faults : saveFaults(steps as Step[])
}

/** What is deeper, or holds itself, is not looked through. */
function isTooDeep(given: unknown): boolean {
  let depth = 0
  for (const _ of levelsOf(given)) {
    depth += 1
    if (depth > mostNested) return true
  }
  return false
}

function headFaults(head: Record<string, unknown>): string[] {
  const { world, ...rest } = head
  const parsed = headSchema.safeParse(rest)
  const faults = parsed.success ? [] : faultsOf(parsed.error, rest, 'scenario')
  return [
    ...faults,
    ...(isObject(world)
      ? faultsOfWorld(world, wordsOf(rest)).map((fault) => `world.${fault}`)
      : nameFaults(world)),
    ...(faults.length > 0 ? [] : settingFaults(rest)),
  ]
}

/** The fields that may hold any text; none where the policies have faults, which are told beside. */
function wordsOf({ profile, policies }: Partial<Scenario>): FreeWord[] {
  try {
    return freeWords(settle(profile, policies))
  } catch {
    return []
  }
}

function nameFaults(world: unknown): string[] {
  if (world === undefined || typeof world === 'string') return []
  return [`world: expected the name of a fixture, or a world, got ${show(world)}`]
}

function settingFaults({ profile, policies, clock }: Partial<Scenario>): string[] {
  return [
    ...faultsWithin('policies', () => adjust(settle(profile), policies ?? {})),
    ...(clock === undefined ? [] : faultsWithin('clock', () => new Clock(clock))),
  ]
}
