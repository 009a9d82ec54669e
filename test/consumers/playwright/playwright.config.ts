import { defineConfig } from '@playwright/test'

const baseURL = `http://127.0.0.1:${process.env.PORT ?? 4173}/`

export default defineConfig({
  use: {
    baseURL,
    // The browser of the system: none is downloaded.
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: ['--no-sandbox'],
    },
  },
  webServer: { command: 'npm start', url: baseURL },
  fullyParallel: true,
  reporter: [['list'], ['understudy-api/playwright/reporter', { file: 'test-results/report.txt' }]],
})
