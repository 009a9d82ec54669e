import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const root = fileURLToPath(new URL('..', import.meta.url))

export type Lane = 'in-process' | 'http' | 'http-msw'

/** The tests of a file that imports one of these run on lanes. */
const usesLane = /support\/lanes\/(start|mount|replay|replay-server)\.ts'/

/** Tests that have a configuration of their own. */
const runsApart = /^test\/(browser|consumers|first-hour|packed)\/|\.slow\.test\.ts$/

const tests = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
  .map((path) => `test/${path.replaceAll('\\', '/')}`)
  .filter((path) => path.endsWith('.test.ts') && !runsApart.test(path))
const onLanes = tests.filter((path) => usesLane.test(readFileSync(join(root, path), 'utf8')))
/** The other tests run once. A new file is found at the next start of Vitest. */
export const once = tests.filter((path) => !onLanes.includes(path))

/** A project that runs the behaviour tests on one transport. */
export const lane = (
  name: Lane,
  { include = onLanes, isChecked = false }: { include?: string[]; isChecked?: boolean } = {},
) => ({
  extends: true as const,
  test: { name, provide: { lane: name, isChecked, isDirect: false }, include },
})

/** The tests of transports in this process, without MSW between `fetch` and the handlers. */
export const direct = {
  extends: true as const,
  test: {
    name: 'direct',
    provide: { lane: 'in-process' as const, isChecked: false, isDirect: true },
    include: onLanes.filter((path) => path.includes('/transport/')),
  },
}

/** Tests that replace what intercepts the requests of a process: each file has a process of its own. */
const interceptions = ['beside', 'missing-requests', 'obstacles'].map(
  (name) => `test/integrations/testing/${name}.test.ts`,
)
const isolated = {
  extends: true as const,
  test: { name: 'isolated', include: interceptions, isolate: true },
}

/** Tests that run once. */
const unit = {
  extends: true as const,
  test: {
    name: 'unit',
    include: once,
    // The validator of npm run contract has its tests there.
    exclude: ['test/server/openapi/contract.test.ts', ...interceptions],
  },
}

export default defineConfig({
  root,
  test: {
    // Importing MSW, Express and zod again for each file costs eight times the tests themselves. The source keeps no
    // module state, and only test/support opens servers.
    isolate: false,
    // The projects share the source without its types: each would strip them again.
    experimental: { fsModuleCache: true },
    // Vitest would leave one core idle. Most of the time goes into waiting for processes that start.
    maxWorkers: '100%',
    // Many files run at once, so a test of a second can take many.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    expect: { poll: { timeout: 20_000, interval: 10 } },
    projects: [
      lane('in-process'),
      // All behaviours run over HTTP in npm run slow, also through MSW. Few of them differ by transport.
      lane('http', {
        include: onLanes.filter((path) => /^test\/(remote|server)\/|\/transport\//.test(path)),
      }),
      direct,
      unit,
      isolated,
    ],
  },
})

declare module 'vitest' {
  export interface ProvidedContext {
    lane: Lane
    /** The folder of the projects that install the package */
    consumers: string
    /** Whether requests and responses are validated against the OpenAPI document */
    isChecked: boolean
    /** Whether `fetch` calls the handlers directly (in-process) */
    isDirect: boolean
    /** Whether tests that search for defects run for hours (npm run long) in place of seconds (npm run slow) */
    isLong: boolean
  }
}
