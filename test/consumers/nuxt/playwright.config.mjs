import { defineConfig } from '@playwright/test'

const port = Number(process.env.PORT ?? 4173)
const baseURL = `http://localhost:${port}/`

export default defineConfig({
  testMatch: 'pages.spec.mjs',
  timeout: 120_000,
  use: {
    baseURL,
    // The browser of the system: none is downloaded.
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: ['--no-sandbox'],
    },
  },
  expect: { timeout: 30_000 },
  webServer: { command: `npm run dev -- --port ${port}`, url: baseURL, timeout: 120_000 },
})
