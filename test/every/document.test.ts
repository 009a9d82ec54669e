import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSimulator } from '../../src/simulator/simulator.ts'
import { collectErrors } from '../support/errors.ts'
import { isLong } from '../support/long.ts'
import { createChecker, receive } from './described-responses.ts'
import { documents, randomRequests, send } from './random-requests.ts'

/** What no schema says: a row that is not there, U+0000, a URL that no plugin has, a plugin that is still global. */
const refusals = /does_not_exist|null_characters|Must be a GitHub|This plugin is marked as global/

// 20 requests in each run, which begins with the same world. LONG=1 sends 20,000.
const [numRuns, length] = [isLong ? 1_000 : 30, 20]

test.each(['documented', 'live'] as const)(
  'every request that the document of the profile %s allows gets a response that it describes',
  async (profile) => {
    const { errors, onError } = collectErrors()
    const simulator = createSimulator({ profile, clock: '2024-06-15T12:00:00Z', onError })
    const start = simulator.snapshot()
    const keys = simulator.keys.list().map(({ value }) => value)
    const request = randomRequests(documents[profile], keys)
    const requests = fc.array(request, { minLength: length, maxLength: length })
    const findProblem = createChecker(documents[profile])
    const run = fc.asyncProperty(requests, async (sequence) => {
      simulator.restore(start)
      for (const sent of sequence) {
        const { status, ...received } = await receive(await send(simulator, sent))
        const isRefused = status === 400 && !refusals.test(received.text)
        const problem = isRefused
          ? received.text
          : findProblem(sent.operation, { status, ...received })
        expect({ sent, problem }).toEqual({ sent, problem: null })
      }
    })
    // The message has the request, so that nothing needs to be shrunk.
    await fc.assert(run, { numRuns, seed: 1, endOnFailure: true })

    expect(errors).toEqual([])
  },
)
