import { afterEach, expect, test, vi } from 'vitest'
import { interception } from '../../../../src/integrations/vitest/in-page/interception.ts'
import { createSimulator } from '../../../../src/simulator/simulator.ts'

const worker = vi.hoisted(() => ({ starts: 0 }))

// MSW has no worker in Node.
vi.mock('msw/browser', () => ({
  setupWorker: () => ({
    async start() {
      worker.starts += 1
      if (worker.starts === 1) throw new Error('The registration failed')
    },
    resetHandlers() {},
  }),
}))

afterEach(() => {
  vi.unstubAllGlobals()
})

test('a worker that did not start is started again by the next test', async () => {
  vi.stubGlobal('XMLHttpRequest', class {})
  vi.stubGlobal('addEventListener', () => {})
  // The requests of a page are followed until it ends.
  vi.stubGlobal('fetch', fetch)
  const simulator = createSimulator()

  await expect(interception.run(simulator, () => 'first')).rejects.toThrow(
    'The registration failed',
  )

  expect(await interception.run(simulator, () => 'second')).toBe('second')
})
