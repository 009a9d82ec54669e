import type { Scenario } from '../../src/scenarios/format/scenario.ts'
import type { SettingOverrides } from '../../src/settings/resolve.ts'
import { type SettingId, settingIds, settingsById } from '../../src/settings/setting.ts'
import { createSimulator } from '../../src/simulator/simulator.ts'
import { probes } from '../every/setting-probes.ts'
import type { Random } from '../support/random.ts'
import { initOf, type RequestOptions } from '../support/transports/client.ts'

const keys = ['phx_all', 'phx_all', 'phx_old', 'phx_none', 'phx_annotation_write', 'phx_unknown']

/** Requests whose responses depend on settings. */
const requests = Object.values(probes)
  .flatMap(({ steps }) => steps)
  .filter((step, index, all) => all.findIndex((other) => isSame(other, step)) === index)

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** Sends random requests to a service with other settings, and records them. */
export async function recordTraffic(
  random: Random,
  hidden: SettingOverrides,
  length: number,
): Promise<Scenario> {
  const service = createSimulator({ settings: hidden, clock: '2024-06-15T12:00:00Z' })
  for (let sent = 0; sent < length; sent += 1) {
    const [method, path, options = {}] = random.pick(requests)
    const key = options.key === undefined && random.below(3) === 0 ? random.pick(keys) : options.key
    const init: RequestOptions = { ...options, ...(key !== undefined && { key }) }
    await service.fetch(path, initOf(method, init))
  }
  return service.record({ title: 'Random traffic' }).scenario
}

/** Other values of some settings. */
export function someSettings(random: Random, count: number): SettingOverrides {
  const ids = Array.from({ length: count }, () => random.pick(settingIds))
  return Object.fromEntries(ids.map((id) => [id, someValue(id, random)]))
}

function someValue(id: SettingId, random: Random): string | number {
  const { values } = settingsById[id]
  if ('integer' in values)
    return id === 'limits.body' ? 40 + random.below(200) : 1 + random.below(6)
  return random.pick(Object.keys(values))
}
