import { expect } from 'vitest'
import { traceClient } from '../../../src/analysis/variants/client-trace.ts'
import { findDependences } from '../../../src/analysis/variants/dependences.ts'
import { type RunClient, runUnchanged, runVariants } from '../../../src/analysis/variants/sweep.ts'
import { applyVariant, settingVariants } from '../../../src/analysis/variants/variant.ts'
import type { SettingOverrides } from '../../../src/settings/resolve.ts'
import { createSimulator, type Simulator } from '../../../src/simulator.ts'
import { noon } from '../../support/api/paths.ts'
import { type PlantedClient, type Send, world } from './planted-client.ts'

const maxRequests = 1_000

/** Sends requests to a simulator in this process, as JSON and with the key of full access unless they say otherwise. */
export function sendTo(simulator: Simulator): Send {
  return (method, path, { key = 'phx_all', body, raw, headers } = {}) =>
    simulator.fetch(path, {
      method,
      headers: {
        ...(key !== null && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(raw !== undefined && { body: raw }),
    })
}

/** Sweeps a client by direct requests, and returns the settings that it depends on. */
export async function dependencesOf(
  run: PlantedClient['run'],
  overrides: SettingOverrides = {},
): Promise<string[]> {
  const origin = createSimulator({ world, clock: noon, settings: overrides })
  const runClient: RunClient = async (variant) => {
    const simulator = origin.fork()
    if (variant) applyVariant(simulator, variant)
    const trace = traceClient(simulator)
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
    return { ...trace(), failure, failedTests: null, ms: 0 }
  }
  const { verdict, trace } = await runUnchanged({ run: runClient })
  expect(verdict).toBe('steady')
  const settings = origin.settings.values
  const outcomes = await runVariants(settingVariants(trace.consulted, settings), { run: runClient })
  return findDependences(outcomes, settings).map(({ on }) => on)
}
