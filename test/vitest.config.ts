import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const root = fileURLToPath(new URL('..', import.meta.url))

export type Lane = 'in-process' | 'http' | 'http-msw'

/** Tests that do not run on lanes: they need no transport, or have a project of their own. */
const apart = [
  'test/{adapters,browser,cli,consumers,first-hour,integrations,packed,repository}/**',
  'test/server/{listen,replicas}/**',
  'test/scenarios/recording/exchanges/**',
  'test/**/unit/**',
  'test/**/*.slow.test.ts',
]

/**
 * A project that runs behaviour tests on one transport. A lane is chosen by what it leaves out, so a new folder cannot
 * be forgotten.
 */
export const lane = (
  name: Lane,
  {
    include = ['test/**/*.test.ts'],
    isChecked = false,
  }: { include?: string[]; isChecked?: boolean } = {},
) => ({
  extends: true as const,
  test: { name, provide: { lane: name, isChecked }, include, exclude: apart },
})

/** Tests that run once. */
const unit = {
  extends: true as const,
  test: {
    name: 'unit',
    include: [
      'test/**/unit/**/*.test.ts',
      'test/{adapters,cli,integrations,repository}/**/*.test.ts',
      'test/server/{listen,replicas}/**/*.test.ts',
      'test/scenarios/recording/exchanges/**/*.test.ts',
    ],
    // The validator of npm run contract has its tests there.
    exclude: ['test/**/*.slow.test.ts', 'test/server/openapi/unit/contract.test.ts'],
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
        include: ['test/{remote,server,transport}/**/*.test.ts', 'test/**/transport/**/*.test.ts'],
      }),
      unit,
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
    /** Whether tests that search for defects run for hours (npm run long) in place of seconds (npm run slow) */
    isLong: boolean
  }
}
