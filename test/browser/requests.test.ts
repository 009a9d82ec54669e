import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { endBrowserAfterAll, inBrowser, openDashboard } from '../support/browser/dashboard.ts'

endBrowserAfterAll()
const list = '/api/projects/1/annotations/'

inBrowser('requests show as they come, the newest first', async () => {
  const { page, ask, complaints } = await openDashboard()
  await page.getByText('Nothing was asked yet').waitFor()

  await ask('GET', list)
  await ask('PATCH', `${list}1/`, { body: { deleted: true } })
  await page.getByRole('link', { name: `${list}1/` }).waitFor()

  const rows = await page.locator('tbody tr').allInnerTexts()
  expect(
    rows.map((row) =>
      row
        .trim()
        .split(/\s*\t\s*/)
        .slice(0, 4),
    ),
  ).toEqual([
    ['200', 'PATCH', `${list}1/ 1 changed`, 'all'],
    ['200', 'GET', list, 'all'],
  ])
  expect(complaints).toEqual([])
})

inBrowser('a request tells why it was answered so, and what it changed', async () => {
  const { page, ask } = await openDashboard()
  await ask('PATCH', `${list}1/`, { body: { deleted: true } })

  await page.getByRole('link', { name: `${list}1/` }).click()
  const detail = page.getByRole('region', { name: 'Request 1' })

  await detail.getByText('annotations.restore').waitFor()
  expect(await detail.locator('.policies li').first().innerText()).toMatch(
    /^annotations\.restore = restores observed /,
  )
  expect(await detail.locator('.changes tbody tr').allInnerTexts()).toEqual([
    'updated_at\t"2024-06-03T09:00:01.123470Z"\t"2024-06-15T12:00:00Z"',
    'deleted\tfalse\ttrue',
  ])
  expect(JSON.parse(await detail.getByLabel('Body of the request').innerText())).toEqual({
    deleted: true,
  })
})

inBrowser('the filter takes words, a status, and requests that changed rows', async () => {
  const { page, ask } = await openDashboard()
  await ask('GET', list)
  await ask('GET', '/api/nowhere/')
  await ask('POST', list, { body: { content: 'Launch' } })
  const shown = () => page.locator('tbody .path a').allInnerTexts()
  await page.getByText('3 shown').waitFor()

  await page.getByLabel('Filter').fill('get nowhere')
  const byWords = await shown()
  await page.getByLabel('Filter').fill('')
  await page.getByLabel('Status').selectOption('4xx')
  const byStatus = await shown()
  await page.getByLabel('Status').selectOption('any')
  await page.getByLabel('Changed rows').check()

  expect([byWords, byStatus, await shown()]).toEqual([['/api/nowhere/'], ['/api/nowhere/'], [list]])
})

inBrowser('a curl line is copied that asks the same again', async () => {
  const { page, ask } = await openDashboard('#/requests/1')
  await ask('POST', list, { body: { content: "it's live" } })

  await page.getByRole('link', { name: list }).click()
  await page.getByRole('button', { name: 'Copy as curl' }).click()
  await page.getByText('Copied, with its key.').waitFor()
  const line = await page.evaluate(() => navigator.clipboard.readText())
  const { stdout } = await promisify(execFile)('sh', ['-c', `${line} -sS`])

  expect(line).toContain("-H 'authorization: Bearer phx_all'")
  expect(JSON.parse(stdout)).toMatchObject({ id: 10, content: "it's live" })
})

inBrowser(
  'a copied form asks the same again: repeated fields, a repeated query, a key without a label',
  async () => {
    const { page, ask, simulator } = await openDashboard('#/requests/1', { profile: 'live' })
    const key = simulator.keys.issue()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const raw = 'content=Launch+%26+learn&content=Launched'
    await ask('POST', `${list}?search=one&search=two`, { key, raw, headers })

    await page.getByRole('button', { name: 'Copy as curl' }).click()
    await page.getByText('Copied, with its key.').waitFor()
    const line = await page.evaluate(() => navigator.clipboard.readText())

    expect(line).toContain(`-H 'authorization: Bearer ${key}'`)
    expect(line).toContain(`--data-raw '${raw}'`)
    expect(line).toContain(`${list}?search=one&search=two'`)
  },
)

inBrowser('a request that is closed leaves the focus on its own row', async () => {
  const { page, ask } = await openDashboard('#/requests/1')
  for (let asked = 0; asked < 12; asked += 1) await ask('GET', list)

  await page.getByRole('heading', { name: 'Request 1' }).waitFor()
  await page.keyboard.press('Escape')
  await page.waitForFunction(() => document.activeElement?.matches('.requests a'))

  expect(await page.evaluate(() => (document.activeElement as HTMLAnchorElement).hash)).toBe(
    '#/requests/1',
  )
})

inBrowser('what is selected is exported as an archive', async () => {
  const { page, ask } = await openDashboard()
  await ask('GET', list)
  await ask('GET', '/api/projects/')
  await page.getByText('2 shown').waitFor()

  await page.getByLabel('Select request 2').check()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export HAR' }).click(),
  ])
  const { log } = JSON.parse(readFileSync(await download.path(), 'utf8'))

  expect(download.suggestedFilename()).toBe('understudy.har')
  expect(log.version).toBe('1.2')
  expect(log.entries.map(({ comment }: { comment: string }) => comment)).toEqual([
    'entry 2: listProjects',
  ])
})

inBrowser('a paused list stands still, and tells how many have come', async () => {
  const { page, ask } = await openDashboard()
  await ask('GET', list)
  await page.getByText('1 shown').waitFor()

  await page.getByRole('button', { name: 'Pause' }).click()
  await ask('GET', list)
  await page.getByRole('button', { name: 'Resume (1 new)' }).waitFor()
  const paused = await page.locator('tbody tr').count()
  await page.getByRole('button', { name: 'Resume (1 new)' }).click()
  await page.getByText('2 shown').waitFor()

  expect([paused, await page.locator('tbody tr').count()]).toEqual([1, 2])
})

inBrowser('the requests of a sandbox are its own', async () => {
  const { page, ask, simulator } = await openDashboard('', {
    arrange: ({ sandboxes }) => sandboxes.create({ keys: { all: 'phx_mine' } }),
  })
  await ask('GET', list)
  await ask('GET', '/api/projects/', { key: 'phx_mine' })
  await page.getByText('1 shown').waitFor()

  await page.getByLabel('World').selectOption('sandbox-1')
  await page.getByRole('link', { name: '/api/projects/' }).waitFor()

  expect(await page.locator('tbody tr').count()).toBe(1)
  expect(page.url()).toContain('#/requests?in=sandbox-1')
  expect(simulator.journal.find()).toHaveLength(1)
})
