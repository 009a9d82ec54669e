import { expect, onTestFinished } from 'vitest'
import { listen } from '../../src/server/listen.ts'
import { createSimulator } from '../../src/simulator/simulator.ts'
import { withChromium } from '../support/browser/chromium.ts'
import { openDashboard, openPage } from './dashboard.ts'

withChromium('a server with a token asks for it once per tab', async () => {
  const { page, pageErrors } = await openDashboard('', { listenOptions: { token: 'secret' } })

  await page.getByLabel('Token').fill('guess')
  await page.keyboard.press('Enter')
  await page.getByText('This is not the token').waitFor()
  await page.getByLabel('Token').fill('secret')
  await page.keyboard.press('Enter')
  await page.getByText('Connected').waitFor()
  await page.reload()
  await page.getByText('Connected').waitFor()

  // Chromium logs each 401.
  expect(pageErrors.filter((text) => !text.includes('401'))).toEqual([])
})

withChromium.each(['secret%2F1', '50%off'])(
  'a link may contain the token %s, which is removed from the address bar',
  async (token) => {
    const { page } = await openDashboard(`#token=${token}`, {
      listenOptions: { token: token.replace('%2F', '/') },
    })

    await page.getByText('Connected').waitFor()

    expect(page.url()).toMatch(/\/__admin\/#\/$/)
  },
)

withChromium('a link with the token opens in the tab that asks for it, too', async () => {
  const { page } = await openDashboard('', { listenOptions: { token: 'secret' } })
  await page.getByLabel('Token').waitFor()

  await page.goto(new URL('#token=secret', page.url()).href)

  await page.getByText('Connected').waitFor()
})

withChromium('a server that is gone is one message, and the page connects again', async () => {
  const simulator = createSimulator()
  const first = await listen(simulator)
  const page = await openPage()
  await page.goto(`${first.url}/__admin/#/rows`)
  await page.getByText('1–8 of 8').waitFor()
  await page.getByText('Connected', { exact: true }).waitFor()

  await first.close()
  await page.getByText('Not connected').waitFor()
  await page.getByRole('alert').waitFor()
  const alerts = await page.getByRole('alert').allInnerTexts()
  await simulator.fetch('/api/nowhere/')
  const second = await listen(simulator, { port: first.port })
  onTestFinished(() => second.close())
  await page.getByText('Connected', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'Requests' }).click()
  await page.getByRole('link', { name: '/api/nowhere/' }).waitFor()

  expect(alerts).toEqual([expect.stringMatching(/^The server does not respond\. This page shows/)])
})

withChromium('an unknown page says so', async () => {
  const { page } = await openDashboard('#/world')

  await page.getByText('This page does not exist.').waitFor()
})

withChromium('a new page takes the focus, for screen readers', async () => {
  const { page } = await openDashboard()
  await page.getByRole('link', { name: 'Faults' }).focus()

  await page.keyboard.press('Enter')
  await page.getByText('New fault').waitFor()

  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Faults')
})
