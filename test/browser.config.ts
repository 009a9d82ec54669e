import { defineConfig } from 'vitest/config'
import config from './vitest.config.ts'

/** Tests in a real Chromium. They run separately, because they take as long as all other tests. */
const browser = {
  extends: true as const,
  test: {
    name: 'browser',
    include: ['test/browser/*.test.ts'],
    // A busy machine takes ten seconds to open a page.
    testTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
  },
}

export default defineConfig({ ...config, test: { ...config.test, projects: [browser] } })
