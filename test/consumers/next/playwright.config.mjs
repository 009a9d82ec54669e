import { defineConfig } from '@playwright/test'

const baseURL = `http://localhost:${process.env.PORT ?? 4173}/`

export default defineConfig({
  use: {
    baseURL,
    // The browser of the system: none is downloaded.
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: ['--no-sandbox'],
    },
  },
  expect: { timeout: 30_000 },
  webServer: { command: 'npm run dev', url: `${baseURL}alone`, timeout: 120_000 },
})
