import { expect } from 'vitest'
import { annotationsPath } from '../support/api/paths.ts'
import { withChromium } from '../support/browser/chromium.ts'
import { closeBrowserAfterAll, openDashboard } from '../support/browser/dashboard.ts'

closeBrowserAfterAll()

withChromium(
  'the next request is held, shown with its time, and continued by the keyboard',
  async () => {
    const { page, ask, simulator, pageErrors } = await openDashboard('#/requests')

    await page.getByRole('button', { name: 'Hold next' }).click()
    await page.getByText('The next request will be held.').waitFor()
    await page.getByRole('link', { name: '1 breakpoint' }).waitFor()
    const pending = ask('POST', annotationsPath, { body: { content: 'Launch' } })
    const held = page.getByRole('region', { name: 'Held requests' })
    await held.getByText('1 request waits for you.').waitFor()
    await page.getByRole('link', { name: '1 request held' }).waitFor()
    await held.getByText(/^continues in (300|29\d) s$/).waitFor()
    await held.getByText('Headers and body').click()
    await held.getByText('"Launch"').waitFor()
    const count = simulator.world.annotations.count
    await held.getByRole('button', { name: 'Continue request 1' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('Request 1 continued.').waitFor()
    await page.locator('.requests .tag', { hasText: 'continued' }).waitFor()

    expect(count).toBe(8)
    expect(await pending).toMatchObject({ status: 201, body: { content: 'Launch' } })
    await held.waitFor({ state: 'detached' })
    expect(pageErrors).toEqual([])
  },
)

withChromium('a held request is edited; the mistake in it is an error in the form', async () => {
  const { page, ask, simulator } = await openDashboard('#/requests', {
    arrange: ({ breakpoints }) => breakpoints.add({ timeout_ms: 60_000 }),
  })
  const pending = ask('POST', annotationsPath, { body: { content: 'Sent' } })
  const dialog = page.getByRole('dialog')

  await page.getByRole('button', { name: 'Edit request 1' }).click()
  await dialog.getByLabel('Path').fill('/api/nowhere/')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByText(/expected a path of the API that its policies enable/).waitFor()
  await dialog.getByLabel('Path').fill(`${annotationsPath}1/`)
  await dialog.getByLabel('Method').selectOption('PATCH')
  await dialog.getByLabel(/^Headers to set/).fill('{"x-edited": "yes"}')
  await dialog.getByLabel('Body').fill('{"content": "Edited"}')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('Request 1 continued.').waitFor()
  await page.getByRole('link', { name: `${annotationsPath}1/` }).click()
  await page.getByText('It was edited at a breakpoint. The client sent:').waitFor()

  expect(await pending).toMatchObject({ status: 200, body: { id: 1, content: 'Edited' } })
  expect(simulator.journal.get(1)).toMatchObject({
    operation: 'updateAnnotation',
    request: { headers: { 'x-edited': 'yes' } },
    breakpoint: { outcome: 'edited', sent: { method: 'POST', headers: { 'x-edited': null } } },
  })
})

withChromium('a breakpoint is added and removed; requests are answered and dropped', async () => {
  const { page, ask, simulator } = await openDashboard('#/controls/breakpoints')
  const dialog = page.getByRole('dialog')

  await page.getByText('No breakpoints.').waitFor()
  await page.getByLabel('Operation').selectOption('listAnnotations')
  await page.getByLabel('Hold for (s)').fill('60')
  await page.getByLabel('Maximum times').fill('')
  await page.getByRole('button', { name: 'Add breakpoint' }).click()
  await page.getByText('Every listAnnotations request, for up to 60 s').waitFor()
  const added = simulator.breakpoints.list()
  const answered = ask('GET', annotationsPath)
  await page.getByRole('button', { name: 'Answer request 1' }).click()
  await dialog.getByLabel('Status').fill('429')
  await dialog.getByLabel(/^Headers/).fill('{"retry-after": "5"}')
  await dialog.getByLabel(/^Body/).fill('{"detail": "Later."}')
  await dialog.getByRole('button', { name: 'Answer' }).click()
  await page.getByText('Request 1 answered.').waitFor()
  const dropped = ask('GET', annotationsPath).catch(() => 'no response')
  await page.getByRole('button', { name: 'Drop request 2' }).click()
  await page.getByText('Request 2 dropped.').waitFor()
  await page.getByText('matched 2, held 2').waitFor()
  await page.getByRole('button', { name: 'Remove breakpoint-1' }).click()
  await page.getByText('breakpoint-1 removed.').waitFor()

  expect(added).toMatchObject([{ operation: 'listAnnotations', timeout_ms: 60_000 }])
  expect(await answered).toEqual({ status: 429, body: { detail: 'Later.' } })
  expect(await dropped).toBe('no response')
  expect(simulator.breakpoints.list()).toEqual([])
})
