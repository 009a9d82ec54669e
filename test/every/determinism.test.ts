import { expect, test } from 'vitest'
import { createSimulator, type Simulator } from '../../src/index.ts'
import { noon } from '../support/api/paths.ts'
import { requestsOf, send } from './random-requests.ts'

const create = (profile: 'documented' | 'live') =>
  createSimulator({ profile, baseUrl: 'http://a.test', clock: noon, onError() {} })

/** The responses to requests. */
async function sendAll(simulator: Simulator, requests: ReturnType<typeof requestsOf>) {
  const transcript: unknown[] = []
  for (const request of requests) {
    const response = await send(simulator, request)
    transcript.push([response.status, [...response.headers], await response.text()])
  }
  return transcript
}

test.each(['documented', 'live'] as const)(
  'the same requests get the same bytes in every run, after a reset and after restoring a snapshot: %s',
  async (profile) => {
    const requests = requestsOf(profile)
    const simulator = create(profile)
    const snapshot = simulator.snapshot()

    const first = await sendAll(simulator, requests)
    simulator.reset()
    const afterReset = await sendAll(simulator, requests)
    simulator.restore(snapshot)
    const afterRestore = await sendAll(simulator, requests)

    expect(afterReset).toEqual(first)
    expect(afterRestore).toEqual(first)
    expect(await sendAll(create(profile), requests)).toEqual(first)
  },
)
