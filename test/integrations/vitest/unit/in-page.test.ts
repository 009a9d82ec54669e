import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { interception } from '../../../../src/integrations/vitest/in-page/interception.ts'
import { createSimulator } from '../../../../src/simulator/simulator.ts'
import { root } from '../../../support/root.ts'

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
  const file = join(root, 'node_modules/msw/lib/mockServiceWorker.js')
  const registered = { active: null, scope: '' }
  vi.stubGlobal('location', { href: 'http://localhost:5173/', origin: 'http://localhost:5173' })
  vi.stubGlobal('navigator', { serviceWorker: { getRegistrations: async () => [registered] } })
  vi.stubGlobal('XMLHttpRequest', class {})
  vi.stubGlobal('fetch', async () => new Response(readFileSync(file, 'utf8')))
  const simulator = createSimulator()

  await expect(interception.run(simulator, () => 'first')).rejects.toThrow(
    "Failed to start in the browser: the browser did not register MSW's worker. Allow service workers for this page: in Playwright, remove serviceWorkers: 'block'. The reason: The registration failed",
  )

  expect(await interception.run(simulator, () => 'second')).toBe('second')
})
