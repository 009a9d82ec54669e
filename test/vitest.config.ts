import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import type { Installation, Packed, Shared } from './support/packed/install.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

const project = (name: string, include: string[], exclude: string[], more: object = {}) => ({
  extends: true as const,
  test: { name, include, exclude: ['test/**/*.slow.test.ts', ...exclude], ...more },
})

/** Transports, servers and clients of the admin API. */
const overHttp = ['test/{admin,server,transport}/**/*.test.ts', 'test/**/transport/*.test.ts']
const overSockets = ['test/every/admin-operation.test.ts', 'test/model/model.test.ts']

/** Tests that intercept requests in their own way, and those that start processes. */
const withoutTransport = ['test/{adapters,cli,integrations,repository}/**/*.test.ts']

/**
 * Tests that replace what intercepts the requests of a process, ask a server that such a handler would refuse, or load
 * the source again: each file has a process of its own.
 */
const isolated = [
  'test/adapters/handlers-in-page.test.ts',
  'test/integrations/testing/{beside,missing-requests,obstacles}.test.ts',
  'test/server/openapi/read-once.test.ts',
  'test/simulator/faults/delays.test.ts',
]

/** The tests of slow.config.ts. */
const slow = ['test/{browser,consumers,first-hour,packed}/**']

export default defineConfig({
  root,
  test: {
    // Importing MSW, Express and zod again for each file costs eight times the tests themselves. The source keeps no
    // module state, and only test/support opens servers.
    isolate: false,
    setupFiles: ['test/support/whole-messages.ts'],
    // A spy ends with its test.
    restoreMocks: true,
    // The projects share the source without its types: each would strip them again.
    experimental: { fsModuleCache: true },
    // Vitest would leave one core idle. Most of the time goes into waiting for processes that start.
    maxWorkers: '100%',
    // A test of a second takes many on a machine that does much else: no test is judged by its time.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000, interval: 10 } },
    projects: [
      // All other folders: through `setupServer`, which all files of a worker share.
      project(
        'in-process',
        ['test/**/*.test.ts'],
        [...overHttp, ...overSockets, ...withoutTransport, ...isolated, ...slow],
        { provide: { transport: 'in-process' } },
      ),
      project('http', [...overHttp, ...overSockets], isolated, { provide: { transport: 'http' } }),
      project('unit', withoutTransport, isolated),
      project('isolated', isolated, [], { isolate: true }),
    ],
  },
})

declare module 'vitest' {
  export interface ProvidedContext {
    transport: 'in-process' | 'http'
    /** The folder of the projects that install the package */
    consumers: string
    packed: Packed
    shared: Readonly<Record<Installation, Shared>>
    /** The files of a page that starts the simulator, by their paths */
    page: readonly (readonly [path: string, text: string])[]
  }
}
