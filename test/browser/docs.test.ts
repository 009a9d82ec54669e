import { expect } from 'vitest'
import { withChromium } from '../support/browser/chromium.ts'
import { openDashboard } from './dashboard.ts'

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

withChromium('the page of the admin API sends a request to it', async () => {
  const { page, simulator, pageErrors } = await openDashboard('docs/')
  simulator.clock.set('2030-01-01T00:00:00Z')
  await page.getByRole('link', { name: 'The admin API' }).click()
  const operation = page.locator('#operations-state-readClock')

  await operation.getByRole('button').first().click()
  await operation.getByRole('button', { name: 'Execute' }).click()
  const body = operation.locator('.live-responses-table .response-col_description')

  await body.getByText('2030-01-01T00:00:00Z').waitFor()
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
