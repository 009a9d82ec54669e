import { expect, test } from 'vitest'
import type { Scenario } from '../../../../src/index.ts'
import { runSteps } from '../../../../src/scenarios/run/run-steps.ts'
import {
  createHttpTarget,
  type Target,
  UnreachableError,
} from '../../../../src/scenarios/run/target.ts'
import { UsageError } from '../../../../src/utils/usage-error.ts'

const url = 'http://localhost'

/** A target that responds with the path of a request, and refuses changes of the clock. */
const target: Target = {
  ...createHttpTarget(url, { key: 'phx_1' }),
  async send(request) {
    const path = request.url.slice(url.length)
    if (path === '/gone') throw new UnreachableError('Failed to reach it.')
    if (path === '/defect') throw new TypeError('A defect')
    return { status: 200, headers: new Headers(), text: JSON.stringify({ path }), broken: false }
  },
  change: async (change) => {
    if ('clock' in change) throw new UsageError('No clock.')
    return { annotations: [7] }
  },
}

const get = (path: string, more: object = {}) => ({ method: 'GET', path, ...more })
const story = (...steps: object[]) => ({ title: 'A story', steps }) as unknown as Scenario

test('a request without a server ends the run and is named, and another error ends it as it is', async () => {
  await expect(
    runSteps(story(get('/a'), get('/gone')), target, { first: 0, last: 1 }),
  ).rejects.toThrow(new UnreachableError('Failed to reach it. The request of steps[1] failed.'))
  await expect(runSteps(story(get('/defect')), target, { first: 0, last: 0 })).rejects.toThrow(
    new TypeError('A defect'),
  )
})
