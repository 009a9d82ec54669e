import type { ClockEdit, PlacedEdit, ReplacedEdit, RowEdit } from '../history/edits.ts'
import { isSameJson, toRowJson } from '../journal/changes.ts'
import { escapeLiterals } from '../scenarios/literal.ts'
import type { ChangeStep } from '../scenarios/scenario.ts'
import { exportWorld, toRepositoryJson } from '../world/export.ts'
import type { KeyRow, RepositoryRow } from '../world/rows.ts'
import type { Tables } from '../world/tables.ts'
import type { ListName } from '../world/watch.ts'
import type { WorldJson } from '../world/world-json.ts'
import { appendStep } from './joined-steps.ts'

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

function toRowStep({ list, before, after }: RowEdit): EditStep {
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
