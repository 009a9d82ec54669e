import { expect } from 'vitest'
import { endBrowserAfterAll, inBrowser, openDashboard } from '../support/browser/dashboard.ts'

endBrowserAfterAll()

inBrowser('an annotation is deleted and restored with the keyboard alone', async () => {
  const { page, simulator, complaints } = await openDashboard('#/world')
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
  await page.getByText('Deleted annotation 1.').waitFor()
  const deleted = simulator.world.annotations.get(1)?.deleted
  await tabTo('Restore annotation 1')
  await press('Space')
  await page.getByText('Restored annotation 1.').waitFor()

  expect([deleted, simulator.world.annotations.get(1)?.deleted]).toEqual([true, false])
  expect(complaints).toEqual([])
})

inBrowser('annotations are found by words, scope and state', async () => {
  const { page, simulator } = await openDashboard('#/world', {
    arrange: ({ world }) => world.annotations.update(2, { deleted: true }),
  })
  const ids = async () =>
    (await page.locator('.rows tbody td:first-child').allInnerTexts()).map(Number)
  const all = simulator.world.annotations.list()
  const wanted = (fits: (row: (typeof all)[number]) => boolean) =>
    all.filter(fits).map(({ id }) => id)
  await page.getByText(`1–${all.length} of ${all.length}`).waitFor()

  await page.getByLabel('State').selectOption('deleted')
  const gone = wanted(({ deleted }) => deleted)
  await page.getByText(`1–${gone.length} of ${gone.length}`, { exact: true }).waitFor()
  const deleted = await ids()
  await page.getByLabel('State').selectOption('all')
  await page.getByLabel('Search').fill('RELEASE')
  const released = wanted(({ content }) => content?.toLowerCase().includes('release') ?? false)
  await page.getByText(`1–${released.length} of ${released.length}`, { exact: true }).waitFor()
  const byWords = await ids()

  expect(deleted.sort()).toEqual(gone)
  expect(byWords.sort()).toEqual(released)
})

inBrowser('an annotation is edited, and a mistake is told and loses nothing', async () => {
  const { page, simulator } = await openDashboard('#/world')

  await page.getByRole('button', { name: 'Edit annotation 1', exact: true }).click()
  await page.getByLabel('Content').fill('Edited by hand')
  await page.getByLabel('Date marker').fill('noon')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('date_marker: expected an ISO 8601 time, got "noon"').waitFor()
  const kept = await page.getByLabel('Content').inputValue()
  await page.getByLabel('Date marker').fill('2024-07-01T10:00:00Z')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved annotation 1.').waitFor()

  expect(kept).toBe('Edited by hand')
  expect(simulator.world.annotations.get(1)).toMatchObject({
    content: 'Edited by hand',
    date_marker: '2024-07-01T10:00:00Z',
  })
})

inBrowser('many are added by the factories, and looked through page by page', async () => {
  const { page, simulator } = await openDashboard('#/world')
  const before = simulator.world.annotations.count

  await page.getByRole('button', { name: 'Add many…' }).click()
  await page.getByLabel('How many').fill('120')
  await page.getByRole('button', { name: 'Add', exact: true }).last().click()
  await page.getByText(`1–50 of ${before + 120}`).waitFor()
  await page.getByRole('button', { name: 'Last' }).click()
  await page.getByText(`101–${before + 120} of ${before + 120}`).waitFor()

  expect(await page.locator('.rows tbody tr').count()).toBe(before + 20)
})

inBrowser('the plot is of all annotations by time, and dragging over it shows a part', async () => {
  const { page } = await openDashboard('#/world', {
    world: 'empty',
    arrange: (simulator) =>
      simulator.addRows({
        annotations: ['2024-01-10', '2024-02-10', '2024-03-10'].map((day, index) => ({
          date_marker: `${day}T12:00:00Z`,
          scope: ['project', 'organization', 'project'][index] as string,
        })),
      }),
  })
  await page.locator('.plot canvas').waitFor()
  const legend = await page.locator('.timeline .scope').allInnerTexts()
  const painted = await page.locator('.plot canvas').evaluate((canvas: HTMLCanvasElement) => {
    const { data } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? {
      data: [],
    }
    const colours = new Set<string>()
    for (let at = 0; at < data.length; at += 4)
      colours.add(`${data[at]},${data[at + 1]},${data[at + 2]},${data[at + 3]}`)
    return ['11,107,93,255', '122,59,143,255'].map((colour) => colours.has(colour))
  })

  const box = (await page.locator('.u-over').boundingBox()) as {
    x: number
    y: number
    width: number
    height: number
  }
  await page.mouse.move(box.x + box.width * 0.3, box.y + 20)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.7, box.y + 20, { steps: 5 })
  await page.mouse.up()
  await page.getByText('1–1 of 1').waitFor()

  expect(legend).toEqual(['project 2', 'organization 1'])
  expect(painted).toEqual([true, true])
  expect(await page.getByLabel('From').inputValue()).toMatch(/^2024-01-/)
  await page.getByRole('button', { name: 'Show all time' }).click()
  await page.getByText('1–3 of 3').waitFor()
})

inBrowser('the source of a plugin is looked through file by file', async () => {
  const { page } = await openDashboard('#/world/plugins', {
    arrange: ({ world }) =>
      world.plugins.update(21, {
        source: { 'index.ts': 'export const a = 1', 'plugin.json': '{}' },
      }),
  })

  await page.getByRole('link', { name: 'Bucket export' }).click()
  await page.getByRole('button', { name: 'index.ts' }).click()
  const code = await page.getByLabel('Source of index.ts').innerText()
  await page.getByRole('button', { name: 'plugin.json' }).click()

  expect([code, await page.getByLabel('Source of plugin.json').innerText()]).toEqual([
    'export const a = 1',
    '{}',
  ])
})

inBrowser('a plugin is removed for good only after a question', async () => {
  const { page, simulator } = await openDashboard('#/world/plugins')
  const before = simulator.world.plugins.count

  await page.getByRole('button', { name: 'Remove plugin 24' }).click()
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  const kept = simulator.world.plugins.count
  await page.getByRole('button', { name: 'Remove plugin 24' }).click()
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await page.getByText('Removed row 24 for good.').waitFor()

  expect([kept, simulator.world.plugins.get(24)]).toEqual([before, undefined])
})

inBrowser('what a client writes shows at once', async () => {
  const { page, ask } = await openDashboard('#/world')
  await page.getByRole('button', { name: 'Delete annotation 1', exact: true }).waitFor()

  await ask('POST', '/api/projects/1/annotations/', { body: { content: 'From the client' } })

  await page.getByText('From the client').waitFor()
})

inBrowser('a busy client does not make the page ask all the time', async () => {
  const { page, ask } = await openDashboard('#/world')
  await page.getByRole('button', { name: 'Delete annotation 1', exact: true }).waitFor()
  let asked = 0
  page.on('request', (request) => {
    if (request.url().includes('/__admin/world/annotations')) asked += 1
  })

  for (let count = 1; count <= 100; count++) {
    await ask('PATCH', '/api/projects/1/annotations/1/', { body: { content: `Number ${count}` } })
  }
  await page.getByText('Number 100').waitFor()

  expect(asked).toBeLessThan(10)
})
