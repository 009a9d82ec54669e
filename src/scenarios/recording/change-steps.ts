import type { PolicySettings } from '../../policies/policies.ts'
import {
  type PolicyOverrides,
  type Profile,
  profiles,
  resolvePolicies,
} from '../../policies/settings.ts'
import { parseFaultRequest } from '../../sandbox/faults/fault-request.ts'
import type { FaultEffect, FaultPhase } from '../../sandbox/faults/rule.ts'
import type {
  ClockEdit,
  PlacedEdit,
  ReplacedEdit,
  RowChange,
} from '../../sandbox/history/history.ts'
import type { RenderedEntry } from '../../sandbox/journal/renderer.ts'
import { UsageError } from '../../utils/usage-error.ts'
import { isSameJson, toRowJson } from '../../world/edit/row-json.ts'
import { exportWorld, toRepositoryJson } from '../../world/load/export-world.ts'
import type { KeyRow, RepositoryRow } from '../../world/rows.ts'
import { references } from '../../world/schema/references.ts'
import { type ListName, worldLists } from '../../world/table/lists.ts'
import type { Tables } from '../../world/table/tables.ts'
import type { WorldJson } from '../../world/world-json.ts'
import type { ChangeStep } from '../format/scenario.ts'
import { escapeLiterals } from '../format/values.ts'

/** A change of the world, and the position in the journal of the first request after it. */
export interface PlacedStep {
  readonly position: number
  readonly step: ChangeStep
}

/** Edits as steps, and what of them no step can say, in whole sentences. */
export interface EditSteps {
  readonly steps: readonly PlacedStep[]
  readonly warnings: readonly string[]
}

type EditStep = ChangeStep | { readonly lost: string } | null

/**
 * What was done to a world without a request, as steps.
 *
 * @param edits in the order in which they were made
 * @param from the position in the journal that the recording begins at
 * @param beginning the rows that a reset goes back to where it is replayed; null where that is not known
 */
export function toEditSteps(
  edits: readonly PlacedEdit[],
  from: number,
  beginning: Tables | null,
): EditSteps {
  const kept = findSavedStates(edits, from)
  let began = beginning
  const replaced = ({ tables, savedAt, world }: ReplacedEdit): EditStep => {
    if (tables === began) return { reset: true }
    const name = savedAt && kept.get(savedAt.order)?.name
    if (name) return { restore: name }
    if (!world) return { lost: 'the rows that took the place of all others, which are too many' }
    began = tables
    return { world: withoutKeyValues(exportWorld(world)) }
  }
  const steps: PlacedStep[] = []
  const warnings: string[] = []
  for (const { position, order, edit } of edits) {
    for (const aside of kept.values()) {
      if (aside.order > order || aside.isWritten) continue
      aside.isWritten = true
      steps.push({ position: aside.position, step: { snapshot: aside.name } })
    }
    const step =
      'list' in edit ? toRowStep(edit) : 'to' in edit ? toClockStep(edit) : replaced(edit)
    if (step === null) continue
    if ('lost' in step) warnings.push(`A change of the world is left out: ${step.lost}.`)
    else appendStep(steps, { position, step })
  }
  return { steps, warnings }
}

interface SavedState {
  readonly position: number
  readonly order: number
  readonly name: string
  isWritten: boolean
}

/** The states that are come back to, by when they were kept aside, the first one first. */
function findSavedStates(edits: readonly PlacedEdit[], from: number): Map<number, SavedState> {
  const places = edits
    .flatMap(({ edit }) => ('tables' in edit && edit.savedAt ? [edit.savedAt] : []))
    .filter(({ position }) => position >= from)
    .sort((a, b) => a.order - b.order)
  const kept = new Map<number, SavedState>()
  for (const place of places) {
    if (kept.has(place.order)) continue
    kept.set(place.order, { ...place, name: `state-${kept.size + 1}`, isWritten: false })
  }
  return kept
}

function toClockStep({ to: { mode, now } }: ClockEdit): ChangeStep {
  if (mode === 'real') return { clock: 'real' }
  const time = new Date(now).toISOString()
  return { clock: mode === 'frozen' ? time : { mode, time } }
}

function toRowStep({ list, before, after }: RowChange): EditStep {
  if (after === undefined) return toDeleteStep(list, before as object)
  if (before === undefined) return { rows: { [list]: [escapeLiterals(toStepRow(list, after))] } }
  const [was, is] = [toStepRow(list, before), toStepRow(list, after)]
  const changed = Object.entries(is).filter(([name, value]) => !isSameJson(was[name], value))
  if (changed.length === 0) return null
  if (list === 'keys' || list === 'repository') return { lost: `a row of ${list} that was changed` }
  const changes = escapeLiterals(Object.fromEntries(changed)) as object
  return { update: { [list]: [{ id: is.id, ...changes }] } }
}

function toDeleteStep(list: ListName, row: object): EditStep {
  if (list !== 'keys') return { delete: { [list]: [(row as { id: number | string }).id] } }
  const { label, value } = row as KeyRow
  return label === value ? { lost: 'the end of a key without a label' } : { revoke: label }
}

/** A world whose keys have other values: they go by their labels. */
function withoutKeyValues(world: WorldJson): WorldJson {
  const keys = (world.keys ?? []).map(({ value, label = value, ...key }, index) => {
    const other = `key-${index + 1}-of-a-world`
    return { value: other, label: label === value ? other : label, ...key }
  })
  return { ...world, keys }
}

/** A row as a step adds it. What a key is nobody needs to know: it goes by its label. */
function toStepRow(list: ListName, row: object): Readonly<Record<string, unknown>> {
  if (list === 'repository') return { ...toRepositoryJson(row as RepositoryRow) }
  if (list !== 'keys') return toRowJson(list, row) ?? {}
  const { value, label, ...rest } = row as KeyRow
  return { ...(label !== value && { label }), ...rest }
}

type Lists = Readonly<Record<string, readonly unknown[]>>

/** Adds a step to those before it: as a part of the last one, where that says the same at the same moment. */
function appendStep(steps: PlacedStep[], next: PlacedStep): void {
  const last = steps.at(-1)
  const step = last?.position === next.position ? joinSteps(last.step, next.step) : null
  if (step) steps[steps.length - 1] = { position: next.position, step }
  else steps.push(next)
}

/** Two changes as one; null where they are none. */
function joinSteps(one: ChangeStep, other: ChangeStep): ChangeStep | null {
  if ('clock' in one && 'clock' in other) return other
  for (const word of ['rows', 'update', 'delete'] as const) {
    const [first, second] = [listsIn(one, word), listsIn(other, word)]
    if (!first || !second) continue
    const [[list, rows] = ['', []]] = Object.entries(second)
    const names = Object.keys(first)
    if (names.includes(list) && names.at(-1) !== list) return null
    if (word === 'rows' && (isBefore(list, names) || refersToRowOf(list, rows[0], first)))
      return null
    return { [word]: { ...first, [list]: [...(first[list] ?? []), ...rows] } } as never
  }
  return null
}

function listsIn(step: ChangeStep, word: string): Lists | null {
  const value = (step as unknown as Record<string, unknown>)[word]
  return typeof value === 'object' ? (value as Lists) : null
}

/** Rows are added list by list, in the order of a world. */
function isBefore(list: string, names: readonly string[]): boolean {
  const at = (name: string): number => (worldLists as readonly string[]).indexOf(name)
  return at(list) < at(names.at(-1) ?? list)
}

/** Whether a row names one of the same step, whose id nobody knows before that is done. */
function refersToRowOf(list: string, row: unknown, step: Lists): boolean {
  return Object.entries(references[list as keyof typeof references] ?? {}).some(
    ([field, target]) => {
      const ids = (step[target] ?? []).map((one) => (one as { id?: unknown }).id)
      return [(row as Record<string, unknown>)[field]].flat().some((id) => ids.includes(id))
    },
  )
}

/** The policies that a request was answered by, and the one before it was not; null where they are the same. */
export function toPolicyStep(before: PolicySettings, after: PolicySettings): ChangeStep | null {
  const policies = diffPolicies(before, after)
  return Object.keys(policies).length > 0 ? { policies } : null
}

/** The fault that struck a request; null where none did, or a stale read, which begins earlier. What no step can say is told in a sentence. */
export function toFaultStep({
  entry,
}: RenderedEntry): ChangeStep | { readonly warning: string } | null {
  if (entry.fault === null || (entry.fault.effect as FaultEffect).stale !== undefined) return null
  const fault = {
    when: { times: 1 },
    phase: entry.fault.phase as FaultPhase,
    effect: entry.fault.effect as FaultEffect,
  }
  try {
    parseFaultRequest(fault)
    return { fault }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return { warning: `Entry ${entry.id} met a fault that no step can say: ${error.message}` }
  }
}

/** A full set of policies as the profile that is nearest to it, and what differs. */
export function nearestProfile(settings: PolicySettings): {
  profile: Profile
  policies?: PolicyOverrides
} {
  const ways = profiles.map((profile) => ({
    profile,
    policies: diffPolicies(resolvePolicies(profile), settings),
  }))
  const count = (policies: PolicyOverrides): number => Object.keys(policies).length
  const [nearest] = ways.sort((a, b) => count(a.policies) - count(b.policies))
  const { profile, policies } = nearest as (typeof ways)[number]
  return { profile, ...(count(policies) > 0 && { policies }) }
}

/** The policies that are set otherwise. */
function diffPolicies(before: PolicySettings, after: PolicySettings): PolicyOverrides {
  if (before === after) return {}
  const old: Readonly<Record<string, unknown>> = before
  return Object.fromEntries(Object.entries(after).filter(([id, value]) => old[id] !== value))
}
