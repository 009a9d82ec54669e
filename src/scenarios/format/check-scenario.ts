import { overridePolicies, resolvePolicies } from '../../policies/settings.ts'
import { isObject, jsonLevels } from '../../utils/json.ts'
import { describeIssues, suggestFields } from '../../utils/schema-issues.ts'
import { inspectValue, UsageError } from '../../utils/usage-error.ts'
import { version } from '../../utils/version.ts'
import { Clock } from '../../world/clock/clock.ts'
import { findWorldIssues } from '../../world/load/load-world.ts'
import { maxJsonDepth, type UncheckedField, uncheckedFields } from '../../world/world-format.ts'
import { findReferenceIssues } from './check-references.ts'
import { collectIssues, findStepIssues } from './check-step.ts'
import { isRequestStep, type Scenario, type Step, scenarioVersion } from './scenario.ts'
import { scenarioHeadSchema } from './schema.ts'

/**
 * A scenario as it was given, once nothing is wrong with it.
 *
 * @throws UsageError with every fault and its path, such as `steps[2].expect.status`
 */
export function parseScenario(given: unknown): Scenario {
  const faults = findScenarioIssues(given)
  if (faults.length === 0) return given as Scenario
  throw scenarioError(faults)
}

/** What is said of a scenario that is not replayed. */
export function scenarioError(faults: readonly string[], name = 'the scenario'): UsageError {
  const count = faults.length === 1 ? 'a fault' : `${faults.length} faults`
  return new UsageError(`Failed to replay ${name}: it has ${count}. Nothing was run.`, faults)
}

/** Every fault of a scenario, each with its path; none for one that can be replayed. */
export function findScenarioIssues(given: unknown): string[] {
  if (!isObject(given))
    return [`scenario: expected an object with title and steps, got ${inspectValue(given)}`]
  if (isTooDeep(given))
    return [`scenario: expected at most ${maxJsonDepth} levels within one another`]
  const { format_version: format } = given
  if (typeof format === 'number' && format > scenarioVersion) {
    return [
      `format_version: expected at most ${scenarioVersion}, got ${format}: a later version of understudy-api made ` +
        `this file than the one that reads it, ${version}. Update this one.`,
    ]
  }
  const { steps, ...head } = given
  if (!Array.isArray(steps))
    return [...findHeadIssues(head), `steps: expected a list, got ${inspectValue(steps)}`]
  const faults = [
    ...findHeadIssues(head),
    ...(steps.length === 0 ? ['steps: expected at least one, got []'] : []),
    ...steps.flatMap((step, index) => findStepIssues(step, `steps[${index}]`)),
  ]
  // Where a step is no step, what it saves is not known.
  return faults.length > 0 ? faults : findReferenceIssues(steps as Step[])
}

/** What is deeper, or holds itself, is not looked through. */
function isTooDeep(given: unknown): boolean {
  let depth = 0
  for (const _ of jsonLevels(given)) {
    depth += 1
    if (depth > maxJsonDepth) return true
  }
  return false
}

function findHeadIssues(head: Record<string, unknown>): string[] {
  const { world, ...rest } = head
  const parsed = scenarioHeadSchema.safeParse(rest, suggestFields)
  const faults = parsed.success ? [] : describeIssues(parsed.error, rest, 'scenario')
  return [
    ...faults,
    ...(isObject(world)
      ? findWorldIssues(world, uncheckedFieldsOf(rest)).map((fault) => `world.${fault}`)
      : findWorldNameIssues(world)),
    ...(faults.length > 0 ? [] : findSettingIssues(rest)),
  ]
}

/** The fields that may hold any text; none where the policies have faults, which are told beside. */
function uncheckedFieldsOf({ profile, policies }: Partial<Scenario>): UncheckedField[] {
  try {
    return uncheckedFields(resolvePolicies(profile, policies))
  } catch {
    return []
  }
}

function findWorldNameIssues(world: unknown): string[] {
  if (world === undefined || typeof world === 'string') return []
  return [`world: expected the name of a fixture, or a world, got ${inspectValue(world)}`]
}

function findSettingIssues({ profile, policies, clock }: Partial<Scenario>): string[] {
  return [
    ...collectIssues('policies', () => overridePolicies(resolvePolicies(profile), policies ?? {})),
    ...(clock === undefined ? [] : collectIssues('clock', () => new Clock(clock))),
  ]
}

/**
 * Labels that no key has, neither from the beginning nor by what is added before.
 *
 * @param isThere whether the world begins with a key of a label
 */
export function findKeyIssues(
  steps: readonly Step[],
  isThere: (label: string) => boolean,
): string[] {
  const added = new Set<string>()
  return steps.flatMap((step, index) => {
    for (const label of labelsAddedBy(step)) added.add(label)
    if (!isRequestStep(step) || step.as === undefined) return []
    if (isThere(step.as) || added.has(step.as)) return []
    const expected = 'the label of a key of the world'
    return [`steps[${index}].as: expected ${expected}, got ${JSON.stringify(step.as)}`]
  })
}

/** The labels of keys that a change adds. */
function labelsAddedBy(step: Step): string[] {
  const keys = 'rows' in step ? step.rows.keys : 'world' in step ? step.world.keys : []
  return (keys ?? []).map((key) => key.label ?? key.value ?? '')
}
