import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { annotationsPath } from '../support/api/paths.ts'
import { withChromium } from '../support/browser/chromium.ts'
import { closeBrowserAfterAll, openDashboard } from '../support/browser/dashboard.ts'
import { exec } from '../support/exec.ts'

const bearer = { authorization: 'Bearer phx_all' }

closeBrowserAfterAll()

withChromium('requests appear as they arrive, newest first', async () => {
  const { page, ask, pageErrors } = await openDashboard('#/requests')
  await page.getByText('No requests yet').waitFor()

  await ask('GET', annotationsPath)
  await ask('PATCH', `${annotationsPath}1/`, { body: { deleted: true } })
  await page.getByRole('link', { name: `${annotationsPath}1/` }).waitFor()

  const rows = await page.locator('tbody tr').allInnerTexts()
  expect(
    rows.map((row) =>
      row
        .trim()
        .split(/\s*\t\s*/)
        .slice(0, 4),
    ),
  ).toEqual([
    ['200', 'PATCH', `${annotationsPath}1/ 1 row changed`, 'all'],
    ['200', 'GET', annotationsPath, 'all'],
  ])
  expect(pageErrors).toEqual([])
})

withChromium('a row says why, without the status that it has in another column', async () => {
  const { page, ask } = await openDashboard('#/requests', {
    arrange: ({ faults }) => faults.add({ operation: 'listPlugins', effect: { drop: true } }),
  })

  await ask('GET', `${annotationsPath}999/`)
  await ask('GET', '/api/organizations/@current/plugins/').catch(() => {})
  const notes = page.locator('tbody .note')

  await expect
    .poll(() => notes.allInnerTexts())
    .toEqual([
      'the fault `fault-1` was applied: the connection drops before the request is carried out',
      'no annotation 999 in project 1',
    ])
})

withChromium(
  'the details of a request show its changes and the reasons of the response',
  async () => {
    const { page, ask } = await openDashboard('#/requests')
    await ask('PATCH', `${annotationsPath}1/`, { body: { deleted: true } })

    await page.getByRole('link', { name: `${annotationsPath}1/` }).click()
    const detail = page.getByRole('region', { name: 'Request 1' })

    await detail.getByText('policies that the response depends on').click()
    expect(await detail.locator('.sentence').innerText()).toBe(
      '200: updateAnnotation succeeded and changed 1 row.',
    )
    await expect
      .poll(() => detail.locator('.policies li').allInnerTexts())
      .toContain('annotations.restore = restores evidence: observed')
    await expect
      .poll(() => detail.locator('.changes tbody tr').allInnerTexts())
      .toEqual([
        'updated_at\t"2024-06-03T09:00:01.123470Z"\t"2024-06-15T12:00:00Z"',
        'deleted\tfalse\ttrue',
      ])
    expect(JSON.parse(await detail.getByLabel('Request body').innerText())).toEqual({
      deleted: true,
    })
  },
)

withChromium('the details of a request begin with its reason and the ignored input', async () => {
  const { page, ask } = await openDashboard('#/requests')
  await ask('PATCH', `${annotationsPath}1/`, { body: { contnt: 'x', deleted: 'maybe' } })

  await page.getByRole('link', { name: `${annotationsPath}1/` }).click()
  const detail = page.getByRole('region', { name: 'Request 1' })

  await detail.getByText('400: body.deleted: Must be a valid boolean').waitFor()
  await detail.getByText('Ignored: body.contnt, did you mean content?').waitFor()
})

withChromium('mistakes of clients are listed, each with links to its requests', async () => {
  const { page, ask } = await openDashboard('#/requests', {
    arrange: (simulator) => simulator.fetch('/api/organizations/1/plugins/', { headers: bearer }),
  })
  await page.getByText('1 mistake of clients').waitFor()

  await ask('DELETE', `${annotationsPath}1/`)
  await ask('DELETE', `${annotationsPath}2/`)
  await page.getByText('2 mistakes of clients').click()

  const mistakes = page.locator('.mistakes')
  await mistakes.getByText('Annotations 1, 2 were not deleted').waitFor()
  expect((await mistakes.locator('li').allInnerTexts()).map((text) => text.trim())).toEqual([
    'swapped-id /api/organizations/1 has a number, as projects have. The id of an organization is a UUID. Take the organization of a project from GET /api/projects/, or use @current. 1 request: 1',
    'swallowed-delete Annotations 1, 2 were not deleted, and the client did not delete them with PATCH. Send PATCH with {"deleted": true}. Annotations are never deleted for good. 2 requests: 2 3',
  ])
  await mistakes.getByRole('link', { name: '3' }).click()
  await page.getByRole('region', { name: 'Request 3' }).waitFor()

  await ask('PATCH', `${annotationsPath}1/`, { body: { deleted: true } })
  await ask('PATCH', `${annotationsPath}2/`, { body: { deleted: true } })
  await page.getByText('1 mistake of clients').waitFor()
})
withChromium(
  'the details show the evidence of a response, and a request that succeeds',
  async () => {
    const { page, ask, pageErrors } = await openDashboard('#/requests')
    await ask('DELETE', `${annotationsPath}1/`)

    await page.getByRole('link', { name: `${annotationsPath}1/` }).click()
    const detail = page.getByRole('region', { name: 'Request 1' })
    await detail.getByText('Evidence and sources').click()

    await detail.getByText('Documentation: Status code returned by').waitFor()
    await detail.getByText(`PATCH ${annotationsPath}1/`).waitFor()
    expect(
      JSON.parse(await detail.getByLabel('Body of the request that succeeds').innerText()),
    ).toEqual({ deleted: true })
    expect(pageErrors).toEqual([])
  },
)

withChromium('a row says why a request was refused, and which input was ignored', async () => {
  const { page, ask } = await openDashboard('#/requests')
  await ask('GET', `${annotationsPath}?serch=release`)
  await ask('GET', annotationsPath, { key: 'phx_unknown' })
  const row = (status: string) => page.locator('.requests tbody tr', { hasText: status })

  await row('401').waitFor()

  expect(await row('401').locator('.note').innerText()).toBe('no key matches phx_u…')
  expect(await row('200').locator('.note').innerText()).toMatch(/^Ignored: .*serch/)
})

withChromium('the details of a refusal name the policy that decided it first', async () => {
  const { page, ask } = await openDashboard('#/requests')
  await ask('PUT', `${annotationsPath}1/`, { body: {} })

  await page.getByRole('link', { name: `${annotationsPath}1/` }).click()
  const detail = page.getByRole('region', { name: 'Request 1' })

  expect(await detail.locator('.policies li').first().innerText()).toMatch(
    /^Decided by methods\.put = off evidence: assumed With on, the status would differ\.$/,
  )
})

withChromium('requests are filtered by words, by status and by changes', async () => {
  const { page, ask } = await openDashboard('#/requests')
  await ask('GET', annotationsPath)
  await ask('GET', '/api/nowhere/')
  await ask('POST', annotationsPath, { body: { content: 'Launch' } })
  const shown = () => page.locator('tbody .path a').allInnerTexts()
  await page.getByText('3 shown').waitFor()

  await page.getByLabel('Filter').fill('get nowhere')
  const byWords = await shown()
  await page.getByLabel('Filter').fill('')
  await page.getByLabel('Status').selectOption('4xx')
  const byStatus = await shown()
  await page.getByLabel('Status').selectOption('any')
  await page.getByLabel('With changes only').check()

  expect([byWords, byStatus, await shown()]).toEqual([
    ['/api/nowhere/'],
    ['/api/nowhere/'],
    [annotationsPath],
  ])
})

withChromium('a copied curl command sends the same request again', async () => {
  const { page, ask } = await openDashboard('#/requests/1')
  await ask('POST', annotationsPath, { body: { content: "it's live" } })

  await page.getByRole('link', { name: annotationsPath }).click()
  await page.getByRole('button', { name: 'Copy as curl' }).click()
  await page.getByText('Copied the curl command, including the API key.').waitFor()
  const command = await page.evaluate(() => navigator.clipboard.readText())
  const { stdout } = await exec('sh', ['-c', `${command} -sS`])

  expect(command).toContain("-H 'authorization: Bearer phx_all'")
  expect(JSON.parse(stdout)).toMatchObject({ id: 10, content: "it's live" })
})

withChromium(
  'a copied curl command repeats form fields and query parameters, and finds an unlabeled key',
  async () => {
    const { page, ask, simulator } = await openDashboard('#/requests/1', { profile: 'live' })
    const key = simulator.keys.issue()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const raw = 'content=Launch+%26+learn&content=Launched'
    await ask('POST', `${annotationsPath}?search=one&search=two`, { key, raw, headers })

    await page.getByRole('button', { name: 'Copy as curl' }).click()
    await page.getByText('Copied the curl command, including the API key.').waitFor()
    const command = await page.evaluate(() => navigator.clipboard.readText())

    expect(command).toContain(`-H 'authorization: Bearer ${key}'`)
    expect(command).toContain(`--data-raw '${raw}'`)
    expect(command).toContain(`${annotationsPath}?search=one&search=two'`)
  },
)

withChromium('closing a request moves the focus to its row', async () => {
  const { page, ask } = await openDashboard('#/requests/1')
  for (let count = 0; count < 12; count++) await ask('GET', annotationsPath)

  await page.getByRole('heading', { name: 'Request 1' }).waitFor()
  await page.locator('.requests a[href^="#/requests/12"]').waitFor({ state: 'attached' })
  await page.keyboard.press('Escape')
  await page.waitForFunction(() => document.activeElement?.matches('.requests a'))

  expect(await page.evaluate(() => (document.activeElement as HTMLAnchorElement).hash)).toBe(
    '#/requests/1',
  )
})

withChromium('selected requests are exported as a HAR archive', async () => {
  const { page, ask } = await openDashboard('#/requests')
  await ask('GET', annotationsPath)
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

withChromium('a paused list counts new requests and shows them later', async () => {
  const { page, ask } = await openDashboard('#/requests')
  await ask('GET', annotationsPath)
  await page.getByText('1 shown').waitFor()

  await page.getByRole('button', { name: 'Pause' }).click()
  await ask('GET', annotationsPath)
  await page.getByRole('button', { name: 'Resume (1 new)' }).waitFor()
  const paused = await page.locator('tbody tr').count()
  await page.getByRole('button', { name: 'Resume (1 new)' }).click()
  await page.getByText('2 shown').waitFor()

  expect([paused, await page.locator('tbody tr').count()]).toEqual([1, 2])
})

withChromium('the requests of a sandbox are shown separately', async () => {
  const { page, ask, simulator } = await openDashboard('#/requests', {
    arrange: ({ sandboxes }) => sandboxes.create({ keys: { all: 'phx_mine' } }),
  })
  await ask('GET', annotationsPath)
  await ask('GET', '/api/projects/', { key: 'phx_mine' })
  await page.getByText('1 shown').waitFor()

  await page.locator('.bar select').selectOption('sandbox-1')
  await page.getByRole('link', { name: '/api/projects/' }).waitFor()

  await expect.poll(() => page.locator('tbody tr').count()).toBe(1)
  expect(page.url()).toContain('#/requests?in=sandbox-1')
  expect(simulator.journal.find()).toHaveLength(1)
})

withChromium('a world without requests shows a curl command with a key of the world', async () => {
  const { page } = await openDashboard('#/requests')

  const command = await page.getByText('curl -H').innerText()
  const { stdout } = await exec('sh', ['-c', `${command} -sS`])

  expect(JSON.parse(stdout)).toHaveProperty('results')
})

withChromium('a click anywhere on a row opens the request, except on its checkbox', async () => {
  const { page, ask } = await openDashboard('#/requests')
  await ask('GET', annotationsPath)
  const row = page.locator('.requests tbody tr')

  await row.getByRole('checkbox').click()
  await page.getByText('1 selected').waitFor()
  const before = page.url()
  await row.locator('.time').click({ force: true })
  await page.getByRole('heading', { name: 'Request 1' }).waitFor()

  expect(before).not.toContain('requests/1')
})

withChromium('a fault and a similar route are described in words', async () => {
  const { page, simulator } = await openDashboard('#/requests/1')
  simulator.faults.add({ operation: 'listProjects', effect: { drop: true } })
  const headers = { authorization: 'Bearer phx_all' }

  await simulator.fetch('/api/projects/', { headers }).catch(() => {})
  const sentence =
    'no response: the fault `fault-1` was applied: the connection drops before the request is carried out.'
  await page.getByText(sentence).waitFor()
  await simulator.fetch('/api/project/', { headers })
  await page.getByRole('link', { name: '/api/project/' }).click()

  await page
    .locator('.sentence')
    .getByText('404: no operation has the path `/api/project/` (nearest: ')
    .waitFor()
})

withChromium('an EventSource in the page follows the journal', async () => {
  const { page, ask } = await openDashboard('#/requests')
  const received = page.evaluate(
    () =>
      new Promise<string>((resolve, reject) => {
        const source = new EventSource('/__admin/journal/events')
        source.addEventListener('entry', ({ data }) => resolve(data))
        source.onopen = () => {
          document.body.dataset.events = 'open'
        }
        source.onerror = () => reject(new Error('The stream failed.'))
      }),
  )
  await page.waitForFunction(() => document.body.dataset.events === 'open')

  await ask('GET', annotationsPath)

  expect(JSON.parse(await received)).toMatchObject({ id: 1, path: annotationsPath })
})
