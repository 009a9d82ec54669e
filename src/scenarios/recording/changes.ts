import { diffSettings } from '../../settings/resolve.ts'
import type { SettingValues } from '../../settings/setting.ts'
import type { FaultRequest } from '../../simulator/faults/schema.ts'
import type { JournalRecord } from '../../simulator/journal/journal.ts'
import { type ClockReading, type ClockSetting, formatIsoTime } from '../../world/clock/clock.ts'
import type { WorldJson } from '../../world/world-json.ts'
import type { ChangeStep, Scenario } from '../format/scenario.ts'
import { escapeLiterals } from '../format/values.ts'

export function toClockSetting({ mode, now }: ClockReading): ClockSetting {
  if (mode === 'real') return 'real'
  const time = formatIsoTime(new Date(now).getTime())
  return mode === 'frozen' ? time : { mode, now: time }
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

function comparableText({ seed: _, keys = [], ...world }: WorldJson): string {
  // A revoked key that is there again comes last.
  return JSON.stringify([world, keys.map(({ value: __, ...key }) => JSON.stringify(key)).sort()])
}
