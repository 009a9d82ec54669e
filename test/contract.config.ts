import { defineConfig } from 'vitest/config'
import config, { lane } from './vitest.config.ts'

/** The lane http with a validator between client and server: test/support/lanes/contract.ts. */
export default defineConfig({
  ...config,
  test: { ...config.test, projects: [lane('http', { isChecked: true })] },
})
