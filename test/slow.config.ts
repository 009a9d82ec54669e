import { defineConfig } from 'vitest/config'
import { isLong } from './support/long.ts'
import config from './vitest.config.ts'

/** Slow tests, which only continuous integration runs. */
const slow = {
  extends: true as const,
  test: {
    name: 'slow',
    include: ['test/**/*.slow.test.ts'],
    testTimeout: isLong ? 4 * 3_600_000 : 120_000,
  },
}

export default defineConfig({ ...config, test: { ...config.test, projects: [slow] } })
