import { defineConfig } from '@playwright/test'

const first = Number(process.env.PORT ?? 4173)
const urls = [first, first + 1].map((port) => `http://127.0.0.1:${port}/`)
const [withUrl, hardCoded] = urls
// Under `exec --intercept` the second server needs no setting.
const settings = [{ API_URL: process.env.UNDERSTUDY_URL }, {}]

export default defineConfig({
  use: {
    // The browser of the system: none is downloaded.
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: ['--no-sandbox'],
    },
  },
  projects: [
    { name: 'with a URL', use: { baseURL: withUrl } },
    { name: 'hard-coded', use: { baseURL: hardCoded } },
  ],
  webServer: urls.map((url, index) => ({
    command: 'npm start',
    url,
    env: { ...settings[index], PORT: String(first + index) },
  })),
  fullyParallel: true,
})
