import { defineConfig } from 'vitest/config'
import config from './vitest.config.ts'

/** What projects that install the package do with it: apart, since installing takes as long as half of the rest. */
const consumers = {
  extends: true as const,
  test: {
    name: 'consumers',
    include: ['test/packed/*.test.ts'],
    globalSetup: ['test/support/packed/consumers-folder.ts'],
  },
}

export default defineConfig({ ...config, test: { ...config.test, projects: [consumers] } })
