import {
  diffSettings,
  type Profile,
  profiles,
  resolveSettings,
  type SettingOverrides,
} from '../../settings/resolve.ts'
import type { SettingValues } from '../../settings/setting.ts'
import type { FaultRequest } from '../../simulator/faults/schema.ts'
import type {
  Change,
  ClockChange,
  Replacement,
  RowChange,
} from '../../simulator/journal/changes.ts'
import type { JournalRecord } from '../../simulator/journal/journal.ts'
import { isSameJson } from '../../utils/json.ts'
import { formatIsoTime } from '../../world/clock/clock.ts'
import { exportWorld, toRowJson } from '../../world/load/export-world.ts'
import type { KeyRow } from '../../world/rows.ts'
import type { ListName, Tables } from '../../world/tables.ts'
import type { WorldJson } from '../../world/world-json.ts'
import type { ChangeStep, Scenario } from '../format/scenario.ts'
import { escapeLiterals } from '../format/values.ts'
import { KeyNames } from './key-names.ts'

/** A change that no request made, and the index of the first request of the journal after it. */
export interface PlacedChange {
  readonly position: number
  readonly change: Change
}

interface PlacedStep {
  readonly position: number
  readonly step: ChangeStep
}

export interface EditSteps {
  readonly steps: readonly PlacedStep[]
  readonly warnings: readonly string[]
}

/** A step, a phrase for what no step can contain, or null if nothing changed. */
type EditStep = ChangeStep | { readonly omitted: string } | null

/**
 * Makes steps of the changes that were made to a world without a request.
 *
 * @param initialTables the rows that `reset` restores in a replay, or null if they are not known
 * @param keyNames also gets the keys that the edits add, so that later steps can name them
 */
export function toEditSteps(
  edits: readonly PlacedChange[],
  initialTables: Tables | null,
  keyNames: KeyNames = new KeyNames(),
): EditSteps {
  let resetTables = initialTables
  const toReplacedStep = ({ world }: Replacement): EditStep => {
    if (world.tables === resetTables) return { reset: true }
    resetTables = world.tables
    return { world: withoutKeyValues(exportWorld(world), keyNames) }
  }
  const toStep = (change: Change): EditStep => {
    if ('list' in change) return toRowStep(change, keyNames)
    return 'to' in change ? toClockStep(change) : toReplacedStep(change)
  }
  const steps: PlacedStep[] = []
  const warnings: string[] = []
  for (const { position, change } of edits) {
    const step = toStep(change)
    if (step === null) continue
    if ('omitted' in step) warnings.push(`The recording leaves out ${step.omitted}.`)
    else steps.push({ position, step })
  }
  return { steps, warnings }
}

function toClockStep({ to: { mode, now } }: ClockChange): ChangeStep {
  if (mode === 'real') return { clock: 'real' }
  const time = formatIsoTime(Date.parse(now))
  return { clock: mode === 'frozen' ? time : { mode, time } }
}

function toRowStep({ list, before, after }: RowChange, keyNames: KeyNames): EditStep {
  if (after === undefined) return toDeleteStep(list, before as object, keyNames)
  if (before === undefined) {
    if (list === 'keys') keyNames.addIssued(after as KeyRow)
    return { rows: { [list]: [escapeLiterals(toStepRow(list, after, keyNames))] } }
  }
  const [oldRow, newRow] = [toStepRow(list, before, keyNames), toStepRow(list, after, keyNames)]
  const changed = Object.entries(newRow).filter(([name, value]) => !isSameJson(oldRow[name], value))
  if (changed.length === 0) return null
  if (list === 'keys' || list === 'repository') return { omitted: `a change of a row of ${list}` }
  const changes = escapeLiterals(Object.fromEntries(changed)) as object
  return { update: { [list]: [{ id: newRow.id, ...changes }] } }
}

function toDeleteStep(list: ListName, row: object, keyNames: KeyNames): EditStep {
  if (list !== 'keys') return { delete: { [list]: [(row as { id: number | string }).id] } }
  const label = keyNames.labelOf(row as KeyRow)
  return label === undefined
    ? { omitted: 'the removal of a key without a label' }
    : { revoke: label }
}

/** A row in the form of a step. Keys have no value, which is secret. */
function toStepRow(
  list: ListName,
  row: object,
  keyNames: KeyNames,
): Readonly<Record<string, unknown>> {
  if (list !== 'keys') return toRowJson(list, row) ?? {}
  const { value: _, label: __, ...rest } = row as KeyRow
  const label = keyNames.labelOf(row as KeyRow)
  return { ...(label !== undefined && { label }), ...rest }
}

/** The step for the settings that changed between two requests, or null if none changed. */
export function toSettingStep(before: SettingValues, after: SettingValues): ChangeStep | null {
  const settings = diffSettings(before, after)
  return Object.keys(settings).length > 0 ? { settings } : null
}

/**
 * The step for the fault of a request. Null without one, for one that edited rows, whose edits are steps, and for a request
 * that went on after a hold, which takes no time in a replay.
 */
export function toFaultStep({ fault, response }: JournalRecord): ChangeStep | null {
  if (!fault) return null
  const { phase } = fault
  const { hold, timeout_ms, edit, ...others } = fault.effect
  const { delay_ms } = others
  // The fault broke the connection, or the client or a reset ended it while the request waited.
  const isBroken = response.status === 0
  const effect = isBroken ? { drop: true as const, ...(delay_ms && { delay_ms }) } : others
  if (Object.keys(effect).length === 0) return null
  return { fault: escapeLiterals({ when: { times: 1 }, phase, effect }) as FaultRequest }
}

/** Describes setting values by the profile with the fewest differences, and the differences. */
export function nearestProfile(values: SettingValues): {
  profile: Profile
  settings?: SettingOverrides
} {
  const candidates = profiles.map((profile) => {
    const settings = diffSettings(resolveSettings(profile), values)
    return { profile, settings, count: Object.keys(settings).length }
  })
  const [nearest] = candidates.sort((a, b) => a.count - b.count)
  const { profile, settings, count } = nearest as (typeof candidates)[number]
  return { profile, ...(count > 0 && { settings }) }
}

/** Replaces the values of keys, which are secret. Steps name keys by their labels. */
export function withoutKeyValues(world: WorldJson, keyNames?: KeyNames): WorldJson {
  const named = (world.keys ?? []).map((key) => ({ label: key.value, ...key }))
  const names = keyNames ?? new KeyNames(named)
  const keys = named.map(({ value, label, ...key }) => ({
    ...names.replace({ value, label }),
    ...key,
  }))
  return { ...world, keys }
}

/**
 * The start of a recording if the world is a fixture: its name, and the seed if that differs. Null for another world.
 * The values of keys do not count.
 *
 * @param fixture the whole fixture, as a simulator exports it
 */
export function nameWorld(
  world: WorldJson,
  name: string,
  fixture: WorldJson,
): Pick<Scenario, 'world' | 'seed'> | null {
  if (comparableText(world) !== comparableText(fixture)) return null
  const { seed } = world
  return { world: name, ...(seed !== undefined && seed !== fixture.seed && { seed }) }
}

function comparableText({ seed: _, issued_keys: __, ...world }: WorldJson): string {
  return JSON.stringify(withoutKeyValues(world))
}

/** The values of the keys of a world, by the labels that they have in a recording. */
export function keyValues(world: WorldJson, keyNames?: KeyNames): Record<string, string> {
  const values = (world.keys ?? []).map(({ value }) => value)
  const labels = (withoutKeyValues(world, keyNames).keys ?? []).map(({ label }) => label as string)
  return Object.fromEntries(labels.map((label, index) => [label, values[index] as string]))
}
