import { defineConfig } from 'vitest/config'
import config from './vitest.config.ts'

/** What is tried in a real Chromium: apart, since it takes as long as all the rest. */
const browser = {
  extends: true as const,
  test: { name: 'browser', include: ['test/browser/*.test.ts'] },
}

export default defineConfig({ ...config, test: { ...config.test, projects: [browser] } })
