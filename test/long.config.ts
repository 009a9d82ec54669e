import { defineConfig } from 'vitest/config'
import config from './vitest.config.ts'

/** The slow tests that search for defects, with hours in place of seconds: `npm run long -- test/model`. */
const long = {
  extends: true as const,
  test: {
    name: 'long',
    include: ['test/{model,fuzz,soak}/**/*.slow.test.ts'],
    testTimeout: 4 * 3_600_000,
    provide: { isLong: true },
  },
}

export default defineConfig({ ...config, test: { ...config.test, projects: [long] } })
