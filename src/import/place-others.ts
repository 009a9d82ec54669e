import { isRequestStep, type Scenario, type TestExpectation } from '../scenarios/format/scenario.ts'
import { resolveSetup } from '../scenarios/run/options.ts'
import { play } from '../scenarios/run/play.ts'
import { openRun } from '../scenarios/run/run-scenario.ts'
import { createLocalSender } from '../scenarios/run/simulator-sender.ts'
import type { FaultRule } from '../simulator/faults/fault.ts'
import type { FaultRequest } from '../simulator/faults/schema.ts'
import type { Simulator } from '../simulator/simulator.ts'
import type { RowEdit } from '../world/edit/edit-rows.ts'
import { breachOf } from './failures.ts'
import type { PlayedRequest } from './played-scenario.ts'

/** What a test is about: the requests of its client, and what they break. */
interface Story {
  readonly scenario: Scenario
  readonly requests: readonly PlayedRequest[]
  readonly unmet: readonly Unmet[]
}

/** What a test expects, and the first request that breaks it. */
export interface Unmet {
  readonly request: PlayedRequest
  readonly expectation: TestExpectation
  /** Whether it undid a change of others */
  readonly isUndone?: boolean
}

/** A place at which others act is looked for among so many reads of a client. */
const maxReads = 8

/**
 * Puts what others do where the test fails for the same fault, however often a client reads: for the recorded requests, and for
 * those with one read more and one less. A change that the client undid comes right before it writes the row.
 *
 * @returns also whether a client with the same fault meets them that reads once more, or once less
 */
export async function placeOthers(
  faults: readonly FaultRequest[],
  story: Story,
  simulator: Simulator,
) {
  const { scenario, unmet } = story
  const broken = unmet.map(({ expectation }) => expectation)
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
  let first: readonly FaultRequest[] | undefined
  for (const placed of placesOf(faults, story)) {
    if (!(await isRed(placed, recorded))) continue
    first ??= placed
    let isSure = !showsMissed(placed, story)
    for (const steps of others) isSure &&= await isRed(placed, steps)
    if (isSure) return { faults: placed, isSure }
  }
  return { faults: first ?? faults, isSure: false }
}

/** The places at which others can act, the best one first. */
function placesOf(
  faults: readonly FaultRequest[],
  { unmet, requests }: Story,
): readonly (readonly FaultRequest[])[] {
  const undoing = unmet.filter(({ isUndone }) => isUndone).map(({ request }) => request)
  const late = faults.map((fault) => {
    const write = isEditing(fault) && undoing.find(({ row }) => isOfRow(fault, row?.id))
    return write ? beforeWrite(fault, write, requests) : fault
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

/** Whether a fault edits rows, as others do. */
export function isEditing(fault: FaultRequest): fault is FaultRule {
  return 'effect' in fault && fault.effect.edit !== undefined
}

function isOfRow({ effect }: FaultRule, id: number | undefined): boolean {
  return (effect.edit ?? []).some((edit: RowEdit) =>
    'update' in edit
      ? Object.values(edit.update).some((rows) => rows.some((row) => Object(row).id === id))
      : false,
  )
}

/** Right before the write that undid it: earlier ones of the row come before it. */
function beforeWrite(
  { effect }: FaultRule,
  write: PlayedRequest,
  requests: readonly PlayedRequest[],
): FaultRule {
  const method = ['PATCH', 'PUT'] as const
  const skip = requests.filter(
    ({ index, path, record }) =>
      index < write.index && path === write.path && method.some((name) => name === record.method),
  ).length
  const when = { ...(skip > 0 && { skip }), times: 1 }
  return { method, path: write.sentPath, when, phase: 'before', effect }
}

/** The requests of a client, those with each read twice, and those without the reads that a later one repeats. */
function variantsOf({ scenario, requests: sent, unmet }: Story): Scenario['steps'][] {
  const steps = scenario.steps.map((step) => {
    if (!isRequestStep(step)) return null
    const { expect: _, ...request } = step
    return request
  })
  const last = Math.max(-1, ...unmet.map(({ request }) => request.index))
  const lists = new Set(unmet.map(({ request }) => request.list))
  const reads = sent.filter(
    ({ index, record, list }) => index < last && record.method === 'GET' && lists.has(list),
  )
  const repeated = reads.filter((read, at) =>
    reads.slice(at + 1).some((other) => shows(other, read)),
  )
  const sentOften = (times: number, some: readonly PlayedRequest[]): Scenario['steps'] =>
    steps.flatMap((step, index) => {
      if (!step) return []
      const { save: _, ...again } = step
      if (!some.some((read) => read.index === index)) return [step]
      return times === 0 ? [] : [step, again]
    })
  return [
    sentOften(1, []),
    ...(reads.length > 0 ? [sentOften(2, reads)] : []),
    ...(repeated.length > 0 ? [sentOften(0, repeated)] : []),
  ]
}

/** Whether a client that repeats a read sees that a row is gone which the recorded one missed later: it asks for it no more. */
function showsMissed(placed: readonly FaultRequest[], { requests, unmet }: Story): boolean {
  const missed = unmet.flatMap(({ request: { row, status } }) => (status === 404 ? row?.id : []))
  return placed.filter(isEditing).some(({ operation, when }) => {
    const met = requests.filter(({ record }) =>
      [operation].flat().some((id) => id === record.operation),
    )[when?.skip ?? 0]
    return met !== undefined && idsIn(met).some((id) => missed.includes(Number(id)))
  })
}

/** Whether two reads show the same rows. */
function shows(read: PlayedRequest, other: PlayedRequest): boolean {
  const [a, b] = [idsIn(read), idsIn(other)]
  return a.every((id) => b.includes(id)) || b.every((id) => a.includes(id))
}

function idsIn({ received }: PlayedRequest): unknown[] {
  return [Object(received).results ?? received].flat().map((row): unknown => Object(row).id)
}
