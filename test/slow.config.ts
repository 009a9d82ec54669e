import { defineConfig } from 'vitest/config'
import config, { lane } from './vitest.config.ts'

/** Tests that only continuous integration runs: every behaviour over HTTP, directly and through MSW, and slow tests. */
const slow = {
  extends: true as const,
  test: {
    name: 'slow',
    include: ['test/**/*.slow.test.ts'],
    testTimeout: 120_000,
    provide: { isLong: false },
  },
}

export default defineConfig({
  ...config,
  test: { ...config.test, projects: [lane('http'), lane('http-msw'), slow] },
})
