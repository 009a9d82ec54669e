import { expect } from 'vitest'
import { closeBrowserAfterAll, withChromium } from '../support/browser/chromium.ts'
import { openDashboard } from '../support/browser/dashboard.ts'

closeBrowserAfterAll()

withChromium('the page of the API sends a request with a key that works', async () => {
  const { page, simulator, pageErrors } = await openDashboard('docs/')
  const operation = page.locator('#operations-projects-listProjects')

  await operation.getByRole('button').first().click()
  await operation.getByRole('button', { name: 'Execute' }).click()
  const status = operation.locator('.live-responses-table .response-col_status')
  await status.getByText('200').waitFor()

  expect(simulator.journal.find()).toMatchObject([
    { operation: 'listProjects', key: { label: 'all' }, response: { status: 200 } },
  ])
  expect(pageErrors).toEqual([])
})

withChromium(
  'on a server with a token, the page has the key if its tab knows the token',
  async () => {
    const { page, simulator } = await openDashboard('#token=secret', {
      listenOptions: { token: 'secret' },
    })
    await page.getByRole('link', { name: 'API' }).click()
    const operation = page.locator('#operations-projects-listProjects')

    await operation.getByRole('button').first().click()
    await operation.getByRole('button', { name: 'Execute' }).click()

    await expect.poll(() => simulator.journal.find()[0]?.key?.label).toBe('all')
  },
)
