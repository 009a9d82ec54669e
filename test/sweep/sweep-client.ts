import { expect } from 'vitest'
import type { SettingOverrides } from '../../src/settings/resolve.ts'
import { createSimulator, type Simulator } from '../../src/simulator/simulator.ts'
import {
  followExchanges,
  type SweepClient,
  settingVariants,
  sweepClient,
  type TracedExchange,
  toTrace,
} from '../../src/sweep/sweep.ts'
import { findDependences } from '../../src/sweep/sweep-command.ts'
import { type PlantedClient, type Send, world } from '../every/planted-client.ts'
import { noon } from '../support/api/paths.ts'
import { initOf } from '../support/transports/client.ts'

const maxRequests = 1_000

/** Sends requests to a simulator in this process, as JSON and with the key of full access unless they say otherwise. */
function sendTo(simulator: Simulator): Send {
  return (method, path, options = {}) => simulator.fetch(path, initOf(method, options))
}

/** Sweeps a client by direct requests, and returns the settings that it depends on. */
export async function dependencesOf(
  run: PlantedClient['run'],
  overrides: SettingOverrides = {},
): Promise<string[]> {
  const origin = createSimulator({ world, clock: noon, settings: overrides })
  const runClient: SweepClient['run'] = async (variant) => {
    const simulator = origin.fork({ settings: variant?.settings })
    const exchanges: TracedExchange[] = []
    followExchanges(simulator, '', (exchange) => exchanges.push(exchange))
    let requests = 0
    const sendOne = sendTo(simulator)
    const send: Send = (...request) => {
      requests += 1
      if (requests > maxRequests) throw new Error('the client does not end')
      return sendOne(...request)
    }
    const failure = await run(send).then(
      () => null,
      (error: Error) => error.message,
    )
    return { ...toTrace(exchanges), failure, ms: 0 }
  }
  const settings = origin.settings.values
  const { baseline, outcomes } = await sweepClient({ run: runClient }, ({ trace }) =>
    settingVariants(trace.consulted, settings),
  )
  expect(baseline.verdict).toBe('steady')
  return findDependences(outcomes, settings).map(({ on }) => on)
}
