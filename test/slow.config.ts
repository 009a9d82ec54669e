import { defineConfig } from 'vitest/config'
import config from './vitest.config.ts'

/** Slow tests, which only continuous integration runs. */
const slow = {
  extends: true as const,
  test: {
    name: 'slow',
    include: ['test/**/*.slow.test.ts'],
    testTimeout: 120_000,
    provide: { isLong: false },
  },
}

export default defineConfig({ ...config, test: { ...config.test, projects: [slow] } })
