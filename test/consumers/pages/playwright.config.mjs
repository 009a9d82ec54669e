import { defineConfig } from '@playwright/test'
import { framework } from './frameworks.mjs'

const { serve, offline, base = '', alone = '' } = framework
const port = Number(process.env.PORT ?? 4173)
const urlOf = (port) => `http://localhost:${port}/${base}`
/** Of the page that the simulator answers inside the page */
process.env.ALONE_URL = `${urlOf(offline ? port + 1 : port)}${alone}`
// A busy machine takes minutes to start a framework.
const timeout = 600_000

export default defineConfig({
  testMatch: '*.spec.mjs',
  timeout,
  use: {
    baseURL: urlOf(port),
    // The browser of the system: none is downloaded.
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: ['--no-sandbox'],
    },
  },
  expect: { timeout: 30_000 },
  webServer: [
    { command: `${serve} --port ${port}`, url: `${urlOf(port)}${alone}`, timeout },
    ...(offline
      ? [{ command: `${serve} --port ${port + 1} ${offline}`, url: process.env.ALONE_URL, timeout }]
      : []),
  ],
})
