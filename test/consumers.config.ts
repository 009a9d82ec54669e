import { defineConfig } from 'vitest/config'
import config from './vitest.config.ts'

/** Projects that install the package. They run separately, because installing takes half as long as all other tests. */
const consumers = {
  extends: true as const,
  test: {
    name: 'consumers',
    include: ['test/{packed,first-hour}/*.test.ts'],
    globalSetup: ['test/support/packed/consumers-folder.ts'],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    maxConcurrency: 2,
    // On Node 26, msw 2 causes a warning about localStorage.
    env: { NODE_OPTIONS: '--disable-warning=ExperimentalWarning' },
  },
}

export default defineConfig({ ...config, test: { ...config.test, projects: [consumers] } })
