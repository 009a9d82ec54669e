import type { Simulator } from '../../simulator/simulator.ts'
import { isAlias } from '../../utils/redaction/aliases.ts'
import type { Scope } from '../../world/keys.ts'
import type { ParsedScenario } from '../format/check-scenario.ts'
import { isRequestStep } from '../format/scenario.ts'

/**
 * Finds the keys whose values the recording has replaced. Issues a key for each label that the recorder gave to an unknown
 * key.
 *
 * @returns the values by the labels
 */
export function issueHiddenKeys(
  { steps }: ParsedScenario,
  { keys, world }: Simulator,
): Map<string, string> {
  const known = keys.list()
  const labels = steps.flatMap((step) => (isRequestStep(step) && step.as) || [])
  const unknown = new Set(
    labels.filter((label) => /^key-\d+$/.test(label) && !known.some((key) => key.label === label)),
  )
  // The key of a world without users cannot be issued. Such a recording is refused.
  if (world.users.count > 0) for (const label of unknown) keys.issue({ label })
  const hidden = keys.list().filter(({ label, value }) => unknown.has(label) || isAlias(value))
  return new Map(hidden.map(({ label, value }) => [label, value]))
}

/** Gives a key that a recording hides the value that the client knows, unless it has one. */
export function acceptKey({ keys }: Simulator, hiddenValue: string, value: string): void {
  const hidden = keys.list().find((key) => key.value === hiddenValue)
  if (!hidden) return
  keys.revoke(hiddenValue)
  // A recording may have scopes of other operations.
  keys.issue({ ...hidden, scopes: hidden.scopes as Scope[] | null, value })
}
