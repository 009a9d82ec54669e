import { defineConfig } from 'vitest/config'
import config from './vitest.config.ts'

/** What is tried in a real Chromium: apart, since it takes as long as all the rest. */
const browser = {
  extends: true as const,
  test: {
    name: 'browser',
    include: ['test/browser/*.test.ts'],
    // A machine that has much else to do opens a page in ten seconds; what is waited for comes all the same.
    testTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
  },
}

export default defineConfig({ ...config, test: { ...config.test, projects: [browser] } })
