import { playwright } from '@vitest/browser-playwright'

// The browser of the system: none is downloaded.
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'

export default {
  test: {
    browser: {
      enabled: true,
      headless: true,
      provider: playwright({ launchOptions: { executablePath, args: ['--no-sandbox'] } }),
      instances: [{ browser: 'chromium' }],
    },
    reporters: ['default', ['understudy-api/vitest/reporter', { file: 'test-results/report.txt' }]],
  },
}
