import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { isLong } from './support/long.ts'
import type { Installation, Packed, Shared } from './support/packed/install.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

const project = (name: string, include: string[], exclude: string[], more: object = {}) => ({
  extends: true as const,
  test: { name, include, exclude: ['test/**/*.slow.test.ts', ...exclude], ...more },
})

/** A file that loads the source again has a process of its own. */
const isolated = ['test/simulator/faults/delays.test.ts']

/** The tests of slow.config.ts. */
const slow = ['test/{browser,consumers,first-hour,packed}/**']

/** Most code runs too briefly to pay for V8's last compiler, which took a quarter of the CPU. Node 20 has another flag. */
const lateCompiler = process.version.startsWith('v20.')
  ? '--interrupt-budget=400000'
  : '--invocation-count-for-turbofan=18000'

export default defineConfig({
  root,
  test: {
    // Importing MSW, Express and zod again for each file costs eight times the tests themselves. The source keeps no
    // module state, and only test/support opens servers.
    isolate: false,
    setupFiles: ['test/support/clean-globals.ts'],
    // A spy ends with its test.
    restoreMocks: true,
    // The projects share the source without its types: each would strip them again.
    experimental: { fsModuleCache: true },
    // Each worker loads and compiles the source again.
    maxWorkers: '50%',
    execArgv: [lateCompiler, '--min-semi-space-size=64', '--max-semi-space-size=64'],
    // A test of a second takes many on a machine that does much else: no test is judged by its time, and only one that
    // hangs is ended.
    testTimeout: isLong ? 4 * 3_600_000 : 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000, interval: 10 } },
    // One for all that share: a worker serves one project only.
    projects: [
      project('shared', ['test/**/*.test.ts'], [...isolated, ...slow]),
      project('isolated', isolated, [], { isolate: true }),
    ],
  },
})

declare module 'vitest' {
  export interface ProvidedContext {
    /** The folder of the projects that install the package */
    consumers: string
    packed: Packed
    shared: Readonly<Record<Installation, Shared>>
    /** The files of a page that starts the simulator, by their paths */
    page: readonly (readonly [path: string, text: string])[]
  }
}
