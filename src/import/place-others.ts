import { endpointOf } from '../api/endpoints.ts'
import { isRequestStep, type Scenario, type TestExpectation } from '../scenarios/format/scenario.ts'
import { resolveSetup } from '../scenarios/run/options.ts'
import { play } from '../scenarios/run/play.ts'
import { openRun } from '../scenarios/run/run-scenario.ts'
import { createLocalSender } from '../scenarios/run/simulator-sender.ts'
import type { FaultRule } from '../simulator/faults/fault.ts'
import type { FaultRequest } from '../simulator/faults/schema.ts'
import type { Simulator } from '../simulator/simulator.ts'
import type { RowEdit } from '../world/edit/edit-rows.ts'
import { breachOf } from './breaches.ts'
import type { Exchanged } from './client-scenario.ts'

/** What a test is about: the requests of its client, and what they break. */
interface Story {
  readonly scenario: Scenario
  readonly exchanged: readonly Exchanged[]
  readonly broken: readonly TestExpectation[]
  /** The updates that undid a change of others */
  readonly undoing: readonly Exchanged[]
  /** The first requests that broke an expectation */
  readonly failing: readonly Exchanged[]
}

/** A place at which others act is looked for among so many reads of a client. */
const maxReads = 8

/** Faults of a test, with what others do in its place. */
interface Placed {
  readonly faults: readonly FaultRequest[]
  /** The same, one read of the client later: a test tries both. Undefined if it does not have to */
  readonly later?: readonly FaultRequest[]
}

/**
 * Puts what others do where the test fails for the same fault, however often a client reads: for the recorded requests, and for
 * those with one read more and one less. A change that the client undid comes right before it writes the row.
 *
 * @returns also whether the test fails for all of them
 */
export async function placeOthers(
  faults: readonly FaultRequest[],
  story: Story,
  simulator: Simulator,
): Promise<Placed & { readonly isSure: boolean }> {
  const { scenario, broken } = story
  if (broken.length === 0 || !faults.some(isEditing)) return { faults, isSure: true }
  const failures = [...new Set(broken.map(({ failure }) => failure))]
  const isRed = async (placed: readonly FaultRequest[], steps: Scenario['steps']) => {
    const copy = openRun(resolveSetup(scenario), simulator)
    copy.faults.startWith(placed)
    for await (const { result } of play({ steps }, await createLocalSender(copy)))
      if (result.outcome === 'skipped') return true
    return failures.every((failure) =>
      broken.some((expected) => expected.failure === failure && breachOf(expected, copy) !== null),
    )
  }
  const [recorded = [], ...others] = variantsOf(story)
  const places = placesOf(faults, story)
  for (const [at, placed] of places.entries()) {
    if (!(await isRed(placed, recorded))) continue
    const later = places[at + 1]
    let isLater = false
    let isSure = true
    for (const steps of others) {
      if (await isRed(placed, steps)) continue
      isLater = true
      isSure = later !== undefined && (await isRed(later, steps))
      // No other requests make this place a good one.
      if (!isSure) break
    }
    if (isSure) return { faults: placed, ...(isLater && later && { later }), isSure }
  }
  return { faults, isSure: false }
}

/** The places at which others can act, the best one first. */
function placesOf(
  faults: readonly FaultRequest[],
  { undoing, exchanged }: Story,
): FaultRequest[][] {
  const late = faults.map((fault) => {
    const write = isEditing(fault) && undoing.find(({ entry }) => isOfRow(fault, entry.path))
    return write ? beforeWrite(fault, write, exchanged) : fault
  })
  const first = late.findIndex((fault) => isEditing(fault) && fault.phase === 'after-commit')
  const rule = late[first]
  if (!rule || !isEditing(rule)) return [late]
  const { skip = 0, ...when } = rule.when ?? {}
  const skips = [...new Set([...Array(maxReads).keys(), skip])]
  return skips.map((skip) =>
    late.with(first, { ...rule, when: { ...(skip && { skip }), ...when } }),
  )
}

function isEditing(fault: FaultRequest): fault is FaultRule {
  return 'effect' in fault && fault.effect.edit !== undefined
}

function isOfRow({ effect }: FaultRule, path: string): boolean {
  const id = Number(path.split('/').filter(Boolean).at(-1))
  return (effect.edit ?? []).some((edit: RowEdit) =>
    'update' in edit
      ? Object.values(edit.update).some((rows) => rows.some((row) => Object(row).id === id))
      : false,
  )
}

/** Right before the write that undid it: earlier ones of the row come before it. */
function beforeWrite(
  { effect }: FaultRule,
  { index, entry: { path } }: Exchanged,
  exchanged: readonly Exchanged[],
): FaultRule {
  const method = ['PATCH', 'PUT'] as const
  const skip = exchanged.filter(
    ({ entry, ...other }) =>
      other.index < index && entry.path === path && method.some((name) => name === entry.method),
  ).length
  return { method, path, when: { ...(skip > 0 && { skip }), times: 1 }, phase: 'before', effect }
}

/** The requests of a client, and those with one read more, or one less where another read shows the same list. */
function variantsOf({ scenario, exchanged, failing }: Story): Scenario['steps'][] {
  const steps = scenario.steps.map((step) => {
    if (!isRequestStep(step)) return null
    const { expect: _, ...sent } = step
    return sent
  })
  const requests = (without: number, twice = -1): Scenario['steps'] =>
    steps.flatMap((step, index) => {
      if (!step || index === without) return []
      const { save: _, ...again } = step
      return index === twice ? [step, again] : [step]
    })
  const last = Math.max(-1, ...failing.map(({ index }) => index))
  const lists = new Set(failing.map(({ entry }) => endpointOf(entry.operation)?.list))
  const reads = exchanged.filter(
    ({ index, entry }) =>
      index < last && entry.method === 'GET' && lists.has(endpointOf(entry.operation)?.list),
  )
  const isTwice = ({ entry }: Exchanged): boolean =>
    reads.filter((other) => shows(other, entry)).length > 1
  return [
    requests(-1),
    ...reads.slice(-maxReads).map(({ index }) => requests(-1, index)),
    ...reads
      .filter(isTwice)
      .slice(-maxReads)
      .map(({ index }) => requests(index)),
  ]
}

/** Whether two reads show the same rows. */
function shows({ entry }: Exchanged, other: Exchanged['entry']): boolean {
  const idsOf = ({ response: { body } }: Exchanged['entry']): unknown[] =>
    [Object(body).results ?? body].flat().map((row) => Object(row).id)
  const [a, b] = [idsOf(entry), idsOf(other)]
  return a.every((id) => b.includes(id)) || b.every((id) => a.includes(id))
}
