import { expect } from 'vitest'
import { withChromium } from '../support/browser/chromium.ts'
import { closeBrowserAfterAll, openDashboard } from '../support/browser/dashboard.ts'

closeBrowserAfterAll()

withChromium('an annotation is deleted and restored with the keyboard', async () => {
  const { page, simulator, pageErrors } = await openDashboard('#/world')
  await page.getByRole('button', { name: 'Delete annotation 1', exact: true }).waitFor()
  const press = (key: string) => page.keyboard.press(key)
  const focused = () =>
    page.evaluate(
      () =>
        document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent,
    )
  const tabTo = async (name: string) => {
    for (let tries = 0; tries < 60 && (await focused()) !== name; tries++) await press('Tab')
    expect(await focused()).toBe(name)
  }

  await tabTo('Delete annotation 1')
  await press('Enter')
  await page.getByText('Annotation 1 deleted.').waitFor()
  const deleted = simulator.world.annotations.get(1)?.deleted
  await tabTo('Restore annotation 1')
  await press('Space')
  await page.getByText('Annotation 1 restored.').waitFor()

  expect([deleted, simulator.world.annotations.get(1)?.deleted]).toEqual([true, false])
  expect(pageErrors).toEqual([])
})

withChromium('annotations are filtered by words and state', async () => {
  const { page, simulator } = await openDashboard('#/world', {
    arrange: ({ world }) => world.annotations.update(2, { deleted: true }),
  })
  const ids = async () =>
    (await page.locator('.rows tbody td:first-child').allInnerTexts()).map(Number)
  const all = simulator.world.annotations.list()
  const idsWhere = (matches: (row: (typeof all)[number]) => boolean) =>
    all.filter(matches).map(({ id }) => id)
  await page.getByText(`1–${all.length} of ${all.length}`).waitFor()

  await page.getByLabel('State').selectOption('deleted')
  const expectedDeleted = idsWhere(({ deleted }) => deleted)
  await page
    .getByText(`1–${expectedDeleted.length} of ${expectedDeleted.length}`, { exact: true })
    .waitFor()
  const deleted = await ids()
  await page.getByLabel('State').selectOption('all')
  await page.getByLabel('Search').fill('RELEASE')
  const expectedReleases = idsWhere(
    ({ content }) => content?.toLowerCase().includes('release') ?? false,
  )
  await page
    .getByText(`1–${expectedReleases.length} of ${expectedReleases.length}`, { exact: true })
    .waitFor()
  const byWords = await ids()

  expect(deleted.sort()).toEqual(expectedDeleted)
  expect(byWords.sort()).toEqual(expectedReleases)
})

withChromium(
  'an annotation is edited; a validation error appears at its field and keeps the input',
  async () => {
    const { page, simulator } = await openDashboard('#/world')

    await page.getByRole('button', { name: 'Edit annotation 1', exact: true }).click()
    await page.getByLabel('Content').fill('Edited by hand')
    await page.getByRole('textbox', { name: 'Date marker (UTC)' }).fill('2024-07-01 10:00')
    // The project was removed after the dialog was opened.
    await page.locator('dialog [name=project]').evaluate((element) => {
      const select = element as HTMLSelectElement
      select.options[1]?.setAttribute('value', '77')
      select.value = '77'
      select.dispatchEvent(new Event('change', { bubbles: true }))
    })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog').getByText('Expected an id in projects, got 77').waitFor()
    const invalid = await page.evaluate(() => [
      document.activeElement?.getAttribute('name'),
      document.activeElement?.getAttribute('aria-invalid'),
    ])
    const content = await page.getByLabel('Content').inputValue()
    await page.locator('dialog [name=project]').selectOption('2')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Annotation 1 saved.').waitFor()

    expect(content).toBe('Edited by hand')
    expect(invalid).toEqual(['project', 'true'])
    expect(simulator.world.annotations.get(1)).toMatchObject({
      content: 'Edited by hand',
      date_marker: '2024-07-01T10:00:00Z',
      project: 2,
    })
  },
)

withChromium('annotations are generated, and shown page by page', async () => {
  const { page, simulator } = await openDashboard('#/world')
  const before = simulator.world.annotations.count

  await page.getByRole('button', { name: 'Generate…' }).click()
  await page.getByLabel('Count').fill('120')
  await page.getByRole('button', { name: 'Generate', exact: true }).click()
  await page.getByText(`1–50 of ${before + 120}`).waitFor()
  await page.getByRole('button', { name: 'Last' }).click()
  await page.getByText(`101–${before + 120} of ${before + 120}`).waitFor()

  await expect.poll(() => page.locator('.rows tbody tr').count()).toBe(before + 20)
})

withChromium('an annotation that a client creates appears at once', async () => {
  const { page, ask } = await openDashboard('#/world')
  await page.getByRole('button', { name: 'Delete annotation 1', exact: true }).waitFor()

  await ask('POST', '/api/projects/1/annotations/', { body: { content: 'From the client' } })

  await page.getByText('From the client').waitFor()
})

withChromium('a burst of writes reloads the rows only a few times', async () => {
  const { page, ask } = await openDashboard('#/world')
  await page.getByRole('button', { name: 'Delete annotation 1', exact: true }).waitFor()
  let reloads = 0
  page.on('request', (request) => {
    if (request.url().includes('/__admin/world/annotations')) reloads += 1
  })

  for (let count = 1; count <= 100; count++) {
    await ask('PATCH', '/api/projects/1/annotations/1/', { body: { content: `Number ${count}` } })
  }
  await page.getByText('Number 100').waitFor()

  expect(reloads).toBeLessThan(10)
})

withChromium('filter, sorting and page are in the address, and survive a reload', async () => {
  const { page } = await openDashboard('#/world', {
    arrange: (simulator) =>
      simulator.addRows({
        annotations: Array.from({ length: 60 }, (_, index) => ({
          content: `Batch ${String(index).padStart(2, '0')}`,
        })),
      }),
  })
  const first = () => page.locator('.rows tbody .text').first().innerText()

  await page.getByLabel('Search').fill('batch')
  await page.getByText('1–50 of 60').waitFor()
  await page.getByRole('button', { name: 'Content', exact: true }).click()
  await page.getByText('Batch 00').waitFor()
  await page.getByRole('button', { name: 'Content', exact: true }).click()
  await page.getByText('Batch 59').waitFor()
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByText('51–60 of 60').waitFor()
  await page.reload()
  await page.getByText('51–60 of 60').waitFor()

  expect(Object.fromEntries(new URLSearchParams(page.url().split('?')[1]))).toEqual({
    search: 'batch',
    sort: '-content',
    page: '2',
  })
  expect(await first()).toBe('Batch 09')
  expect(await page.locator('[aria-sort]').getAttribute('aria-sort')).toBe('descending')
})

withChromium('a long text without spaces stays in the dialog', async () => {
  const { page } = await openDashboard('#/world')

  await page.getByRole('button', { name: 'Edit annotation 1', exact: true }).click()
  await page.getByLabel('Content').fill('A'.repeat(500))
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Expected at most 400 characters').waitFor()

  expect(
    await page
      .locator('dialog')
      .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
  ).toBe(0)
})

withChromium('an annotation added without a date is the first row', async () => {
  const { page } = await openDashboard('#/world')

  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByLabel('Content').fill('Just added')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Row added.').waitFor()
  await page.getByText('Just added').waitFor()

  expect(await page.locator('.rows tbody .text').first().innerText()).toBe('Just added')
})

withChromium('undated annotations come first, as in the API, and names replace ids', async () => {
  const { page, simulator } = await openDashboard('#/world')
  const all = simulator.world.annotations.list()
  await page.getByText(`1–${all.length} of ${all.length}`).waitFor()

  await page.getByRole('cell', { name: 'Web shop' }).first().waitFor()
  const dates = await page.locator('.rows tbody .when').allInnerTexts()

  expect(dates.map((date) => date === 'no date')).toEqual(
    dates.map((_, index) => index < all.filter(({ date_marker }) => date_marker === null).length),
  )
  expect(
    await page.locator('.rows tbody tr', { hasText: 'Release 1.0' }).first().innerText(),
  ).toMatch(/Web shop\s+Ada Park/)
})

withChromium('the form of an annotation has every field that it stores', async () => {
  const { page, simulator } = await openDashboard('#/world')

  await page.getByRole('button', { name: 'Edit annotation 1', exact: true }).click()
  await page.getByLabel('Creation type').selectOption('GIT')
  await page.getByLabel('Created by').selectOption('')
  await page.getByLabel('Dashboard item').selectOption('')
  await page.getByRole('textbox', { name: 'Created at (UTC)' }).fill('2023-01-02 03:04:05')
  await page.getByLabel('Deleted', { exact: true }).check()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Annotation 1 saved.').waitFor()

  expect(simulator.world.annotations.get(1)).toMatchObject({
    creation_type: 'GIT',
    created_by: null,
    dashboard_item: null,
    created_at: '2023-01-02T03:04:05Z',
    deleted: true,
  })
})

withChromium('the text of a row can be selected with the mouse', async () => {
  const { page } = await openDashboard('#/world')
  const text = page.locator('.rows .text', { hasText: 'Release 1.0' }).first()
  await text.waitFor()

  await text.click({ clickCount: 1 })
  const dialogs = await page.getByRole('dialog').count()
  const box = (await text.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  await page.mouse.move(box.x + 1, box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width - 1, box.y + box.height / 2, { steps: 5 })
  await page.mouse.up()

  expect(await page.evaluate(() => String(getSelection()))).toContain('Release 1')
  expect([dialogs, await page.getByRole('dialog').count()]).toEqual([0, 0])
})

withChromium('rows open by a double click and by the keyboard', async () => {
  const { page } = await openDashboard('#/world')
  await page.getByRole('button', { name: 'Edit annotation 1', exact: true }).waitFor()
  const rows = page.locator('.rows tbody tr')
  const focusedRow = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('.rows tbody tr')].findIndex((row) =>
        row.contains(document.activeElement),
      ),
    )

  await rows.nth(1).locator('.when').dblclick()
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.locator('h1').focus()
  const moves = []
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowUp']) {
    await page.keyboard.press(key)
    moves.push(await focusedRow())
  }
  expect(moves).toEqual([0, 1, 2, 1])
  const id = await rows.nth(1).locator('td').first().innerText()
  await rows.nth(1).locator('.opens').press('Enter')
  await page.getByRole('heading', { name: `Edit annotation ${id}` }).waitFor()
})
