import { defineConfig } from '@playwright/test'

const port = Number(process.env.PORT ?? 4173)
const baseURL = `http://localhost:${port}/docs/`
/** Of the pages that the simulator answers inside the page */
process.env.OFFLINE_URL = `http://localhost:${port + 1}/docs/`

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
  webServer: [
    { command: `npm run dev -- --port ${port}`, url: baseURL },
    {
      command: `npm run dev -- --port ${port + 1} --mode offline`,
      url: process.env.OFFLINE_URL,
    },
  ],
})
