import { diffSettings } from '../../settings/resolve.ts'
import type { SettingValues } from '../../settings/setting.ts'
import type { FaultRequest } from '../../simulator/faults/schema.ts'
import type {
  ClockMove,
  LoggedChange,
  RowChange,
  WorldReplacement,
} from '../../simulator/journal/changes.ts'
import type { JournalRecord } from '../../simulator/journal/journal.ts'
import { isSameJson } from '../../utils/json.ts'
import { formatIsoTime } from '../../world/clock/clock.ts'
import { exportWorld, toRowJson } from '../../world/load/export-world.ts'
import type { KeyRow } from '../../world/rows.ts'
import type { Tables } from '../../world/tables.ts'
import type { WorldJson } from '../../world/world-json.ts'
import type { ChangeStep, Scenario } from '../format/scenario.ts'
import { escapeLiterals } from '../format/values.ts'

/** A change that no request made, and the index of the first request of the journal after it. */
export interface PlacedChange {
  readonly position: number
  readonly change: LoggedChange
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
 */
export function toEditSteps(
  edits: readonly PlacedChange[],
  initialTables: Tables | null,
): EditSteps {
  let resetTables = initialTables
  const toReplacedStep = ({ world }: WorldReplacement): EditStep => {
    if (world.tables === resetTables) return { reset: true }
    resetTables = world.tables
    return { world: exportWorld(world) }
  }
  const toStep = (change: LoggedChange): EditStep => {
    if ('list' in change) return toRowStep(change)
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

function toClockStep({ to: { mode, now } }: ClockMove): ChangeStep {
  if (mode === 'real') return { clock: 'real' }
  const time = formatIsoTime(Date.parse(now))
  return { clock: mode === 'frozen' ? time : { mode, now: time } }
}

function toRowStep({ list, before, after }: RowChange): EditStep {
  const [oldRow, newRow] = [toRowJson(list, before), toRowJson(list, after)]
  if (!newRow) {
    return list === 'keys'
      ? { revoke: (before as KeyRow).label }
      : { delete: { [list]: [oldRow?.id as number | string] } }
  }
  if (!oldRow) {
    // A key that is issued gets another value in a replay.
    const { value: _, ...key } = newRow
    return { rows: { [list]: [escapeLiterals(list === 'keys' ? key : newRow)] } }
  }
  const changed = Object.entries(newRow).filter(([name, value]) => !isSameJson(oldRow[name], value))
  if (changed.length === 0) return null
  if (list === 'keys' || list === 'repository') return { omitted: `a change of a row of ${list}` }
  const changes = escapeLiterals(Object.fromEntries(changed)) as object
  return { update: { [list]: [{ id: newRow.id, ...changes }] } }
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
export function toFaultStep({ fault, operation, response }: JournalRecord): ChangeStep | null {
  if (!fault) return null
  const { phase } = fault
  const { hold, timeout_ms, edit, ...others } = fault.effect
  const { delay_ms } = others
  // The fault broke the connection, or the client or a reset ended it while the request waited.
  const isBroken = response.status === 0
  const effect = isBroken ? { drop: true as const, ...(delay_ms && { delay_ms }) } : others
  if (Object.keys(effect).length === 0) return null
  // With its operation, a test of the recording meets it whatever else the client sends before.
  const matched = operation === null ? {} : { operation }
  const rule = { ...matched, when: { times: 1 }, phase, effect }
  return { fault: escapeLiterals(rule) as FaultRequest }
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

function comparableText({ seed: _, issued_keys: __, keys = [], ...world }: WorldJson): string {
  return JSON.stringify([world, keys.map(({ value: ___, ...key }) => key)])
}
