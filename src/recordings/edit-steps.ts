import type { ClockEdit, PlacedEdit, ReplacedEdit, RowEdit } from '../history/edits.ts'
import { isSame, worldRow } from '../journal/changes.ts'
import { literalWithin } from '../scenarios/literal.ts'
import type { ChangeStep } from '../scenarios/scenario.ts'
import { exportWorld, toRepositoryJson } from '../world/export.ts'
import type { KeyRow, RepositoryRow } from '../world/rows.ts'
import type { Tables } from '../world/tables.ts'
import type { ListName } from '../world/watch.ts'
import type { WorldJson } from '../world/world-json.ts'
import { joined } from './joined-steps.ts'

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

type Told = ChangeStep | { readonly lost: string } | null

/**
 * What was done to a world without a request, as steps.
 *
 * @param edits in the order in which they were made
 * @param from the position in the journal that the recording begins at
 * @param beginning the rows that a reset goes back to where it is replayed; null where that is not known
 */
export function editSteps(
  edits: readonly PlacedEdit[],
  from: number,
  beginning: Tables | null,
): EditSteps {
  const kept = keptAside(edits, from)
  let began = beginning
  const replaced = ({ tables, saved, world }: ReplacedEdit): Told => {
    if (tables === began) return { reset: true }
    const name = saved && kept.get(saved.order)?.name
    if (name) return { restore: name }
    if (!world) return { lost: 'the rows that took the place of all others, which are too many' }
    began = tables
    return { world: withoutKeys(exportWorld(world)) }
  }
  const steps: PlacedStep[] = []
  const warnings: string[] = []
  for (const { position, order, edit } of edits) {
    for (const aside of kept.values()) {
      if (aside.order > order || aside.isTold) continue
      aside.isTold = true
      steps.push({ position: aside.position, step: { snapshot: aside.name } })
    }
    const step = 'list' in edit ? rowStep(edit) : 'to' in edit ? clockStep(edit) : replaced(edit)
    if (step === null) continue
    if ('lost' in step) warnings.push(`A change of the world is left out: ${step.lost}.`)
    else joined(steps, { position, step })
  }
  return { steps, warnings }
}

interface Aside {
  readonly position: number
  readonly order: number
  readonly name: string
  isTold: boolean
}

/** The states that are come back to, by when they were kept aside, the first one first. */
function keptAside(edits: readonly PlacedEdit[], from: number): Map<number, Aside> {
  const places = edits
    .flatMap(({ edit }) => ('tables' in edit && edit.saved ? [edit.saved] : []))
    .filter(({ position }) => position >= from)
    .sort((a, b) => a.order - b.order)
  const kept = new Map<number, Aside>()
  for (const place of places) {
    if (kept.has(place.order)) continue
    kept.set(place.order, { ...place, name: `state-${kept.size + 1}`, isTold: false })
  }
  return kept
}

function clockStep({ to: { mode, now } }: ClockEdit): ChangeStep {
  if (mode === 'real') return { clock: 'real' }
  const time = new Date(now).toISOString()
  return { clock: mode === 'frozen' ? time : { mode, time } }
}

function rowStep({ list, before, after }: RowEdit): Told {
  if (after === undefined) return removed(list, before as object)
  if (before === undefined) return { rows: { [list]: [literalWithin(rowOf(list, after))] } }
  const [was, is] = [rowOf(list, before), rowOf(list, after)]
  const changed = Object.entries(is).filter(([name, value]) => !isSame(was[name], value))
  if (changed.length === 0) return null
  if (list === 'keys' || list === 'repository') return { lost: `a row of ${list} that was changed` }
  const changes = literalWithin(Object.fromEntries(changed)) as object
  return { update: { [list]: [{ id: is.id, ...changes }] } }
}

function removed(list: ListName, row: object): Told {
  if (list !== 'keys') return { delete: { [list]: [(row as { id: number | string }).id] } }
  const { label, value } = row as KeyRow
  return label === value ? { lost: 'the end of a key without a label' } : { revoke: label }
}

/** A world whose keys have other values: they go by their labels. */
function withoutKeys(world: WorldJson): WorldJson {
  const keys = (world.keys ?? []).map(({ value, label = value, ...key }, index) => {
    const other = `key-${index + 1}-of-a-world`
    return { value: other, label: label === value ? other : label, ...key }
  })
  return { ...world, keys }
}

/** A row as a step adds it. What a key is nobody needs to know: it goes by its label. */
function rowOf(list: ListName, row: object): Readonly<Record<string, unknown>> {
  if (list === 'repository') return { ...toRepositoryJson(row as RepositoryRow) }
  if (list !== 'keys') return worldRow(list, row) ?? {}
  const { value, label, ...rest } = row as KeyRow
  return { ...(label !== value && { label }), ...rest }
}
