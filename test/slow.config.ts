import { defineConfig } from 'vitest/config'
import { isRelease } from './support/packed/install.ts'
import config from './vitest.config.ts'

const project = (name: string, include: string[], more: object = {}) => ({
  extends: true as const,
  test: { name, include, ...more },
})

/** Builds of copies, other versions and generated clients: `.ci/release` tries them, too. */
const atRelease = ['from-source', 'windows']

/** What takes longer than `npm test`, in one run. They wait for processes, npm and Chromium more than they compute. */
const projects = [
  project('slow', ['test/**/*.slow.test.ts']),
  // Projects that install the package, which is packed once.
  project('package', ['test/{packed,first-hour}/*.test.ts'], {
    exclude: isRelease ? [] : atRelease.map((name) => `test/packed/${name}.test.ts`),
    globalSetup: ['test/support/packed/install.ts'],
    // For a release, a project has six runs, which take minutes each.
    testTimeout: isRelease ? 3_600_000 : 600_000,
    hookTimeout: 600_000,
    maxConcurrency: 2,
    // On Node 26, msw 2 causes a warning about localStorage.
    env: { NODE_OPTIONS: '--disable-warning=ExperimentalWarning' },
  }),
  // A real Chromium. A busy machine takes ten seconds to open a page.
  project('browser', ['test/browser/*.test.ts'], {
    globalSetup: ['test/browser/build-page.ts'],
    setupFiles: ['test/support/browser/close-browsers.ts'],
  }),
]

export default defineConfig({
  ...config,
  test: { ...config.test, maxWorkers: 3, projects },
})
