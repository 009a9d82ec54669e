import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { listen } from '../../src/server/listen.ts'
import { createSimulator } from '../../src/simulator.ts'
import { withChromium } from '../support/browser/chromium.ts'
import { closeBrowserAfterAll, openDashboard } from '../support/browser/dashboard.ts'

closeBrowserAfterAll()

test('the short address of the API reference leads to the dashboard, and is guarded like it', async () => {
  const server = await listen(createSimulator())
  onTestFinished(() => server.close())
  const ask = (path: string, headers = {}) =>
    fetch(`${server.url}${path}`, { redirect: 'manual', headers })

  const responses = [
    await ask('/__admin/docs/'),
    await ask('/__admin/docs'),
    await ask('/__admin/docs/?of=control'),
    await ask('/__admin/docs/', { origin: 'https://evil.example.com' }),
  ]

  expect(responses.map(({ status, headers }) => [status, headers.get('location')])).toEqual([
    [302, '../#/reference'],
    [302, './#/reference'],
    [302, '../#/reference/control'],
    [403, null],
  ])
})

withChromium('the first page lists the operations with their scopes', async () => {
  const { page, pageErrors } = await openDashboard('docs/')
  const annotations = page.getByRole('region', { name: 'annotations' })
  await annotations.getByRole('link').first().waitFor()

  const links = await annotations.getByRole('link').allInnerTexts()

  expect(links.map((text) => text.split(/\s*\n\s*/))).toEqual([
    ['GET', '/api/projects/{project_id}/annotations', expect.any(String), 'annotation:read'],
    ['POST', '/api/projects/{project_id}/annotations', expect.any(String), 'annotation:write'],
    ['GET', '/api/projects/{project_id}/annotations/{id}', expect.any(String), 'annotation:read'],
    [
      'PATCH',
      '/api/projects/{project_id}/annotations/{id}',
      expect.any(String),
      'annotation:write',
    ],
    [
      'DELETE',
      '/api/projects/{project_id}/annotations/{id}',
      expect.any(String),
      'annotation:write',
    ],
  ])
  expect(pageErrors).toEqual([])
})

withChromium('an operation shows types, defaults, examples and policies', async () => {
  const { page, pageErrors } = await openDashboard('#/reference/api/listAnnotations')
  const detail = page.getByRole('region', { name: 'listAnnotations', exact: true })
  const parameters = detail.getByRole('region', { name: 'Parameters' }).locator('tbody tr')
  await detail.getByText('annotations.list.limit.default').waitFor()

  const texts = await parameters.allInnerTexts()
  await detail.getByText('Fields and types').first().click()
  const field = detail.locator('tr', { hasText: 'results[].created_by.email' })

  expect(texts.map((text) => text.split(/\s*\t\s*/))).toEqual([
    ['project_id path', 'string', '–', 'Identifies the project.'],
    [
      'limit query',
      'integer from 1',
      '1000',
      'Results per page. Any other value counts as the default.',
    ],
    [
      'offset query',
      'integer from 0',
      '0',
      'Initial index. Any other value counts as the default.',
    ],
    ['search query', 'string', '–', 'Words that the content must contain, in any order.'],
  ])
  expect(await field.locator('td').nth(1).innerText()).toBe('string')
  expect(await detail.getByLabel('Example of the response 200').innerText()).toContain(
    '"Release 1.0"',
  )
  expect(pageErrors).toEqual([])
})

withChromium('a request is sent with a key of the world, without typing', async () => {
  const { page, simulator } = await openDashboard('#/reference/api/updateAnnotation')
  const response = page.getByLabel('Response', { exact: true })

  await expect.poll(() => page.getByLabel('project_id').inputValue()).toBe('1')
  await page.getByRole('button', { name: 'Send' }).click()
  await response.getByText('200').waitFor()
  await page.getByRole('combobox', { name: 'Key' }).selectOption({ label: 'none' })
  await page.getByRole('button', { name: 'Send' }).click()
  await response.getByText('403').waitFor()
  await page.getByRole('combobox', { name: 'Key' }).selectOption({ label: 'No key' })
  await page.getByRole('button', { name: 'Send' }).click()
  await response.getByText('401').waitFor()

  expect(
    simulator.journal
      .find()
      .map(({ operation, key, response }) => [operation, key?.label ?? null, response.status]),
  ).toEqual([
    ['updateAnnotation', 'all', 200],
    ['updateAnnotation', 'none', 403],
    ['updateAnnotation', null, 401],
  ])
})

withChromium(
  'a dropped connection is an error, and the curl command follows the form',
  async () => {
    const { page } = await openDashboard('#/reference/api/listAnnotations', {
      arrange: ({ faults }) => faults.add({ effect: { drop: true } }),
    })
    await expect.poll(() => page.getByLabel('project_id').inputValue()).toBe('1')

    await page.getByRole('textbox', { name: 'search' }).fill("it's")
    const curl = await page.locator('.try-it .code-line code').innerText()
    await page.getByRole('button', { name: 'Send' }).click()

    await page.getByText('The connection was dropped, or there is no server.').waitFor()
    expect(curl).toMatch(
      /^curl 'http:\/\/127\.0\.0\.1:\d+\/api\/projects\/1\/annotations\?search=it%27s' -H 'authorization: Bearer phx_all'$/,
    )
  },
)

withChromium(
  'the events of the control API are shown as they arrive, until they are stopped',
  async () => {
    const { page, ask } = await openDashboard('#/reference/control/followJournal')

    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByLabel('Response', { exact: true }).getByText('200').waitFor()
    await ask('GET', '/api/projects/')
    await page.getByLabel('Response body').getByText('listProjects').waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()

    await page.getByRole('button', { name: 'Send' }).waitFor()
  },
)

withChromium('a response that goes on is not read beyond its visible part', async () => {
  const { page, ask, simulator } = await openDashboard('#/reference/control/followJournal', {
    arrange: (simulator) =>
      simulator.addRows({ annotations: Array.from({ length: 500 }, () => ({ content: 'Row' })) }),
  })
  const send = page.getByRole('button', { name: 'Send' })
  await send.click()
  await expect.poll(() => simulator.journal.followerCount).toBe(2)

  await ask('GET', '/api/projects/1/annotations/?limit=500')
  await ask('GET', '/api/projects/1/annotations/?limit=500')
  await send.waitFor()

  // The dashboard follows the journal, too.
  await expect.poll(() => simulator.journal.followerCount).toBe(1)
})

withChromium('the API reference works behind a reverse proxy with a path prefix', async () => {
  const { page, simulator } = await openDashboard()
  const prefixed = await listenBehindPrefix(new URL(page.url()).origin, '/understudy')

  await page.goto(`${prefixed}/__admin/docs/`)
  await page.getByRole('link', { name: 'GET /api/projects List' }).click()
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByLabel('Response', { exact: true }).getByText('200').waitFor()
  await page.getByRole('link', { name: 'Control API' }).click()
  await page.getByText('/__admin/sandboxes', { exact: true }).first().waitFor()

  expect(simulator.journal.find().map(({ path }) => path)).toEqual(['/api/projects'])
})

/** Starts a reverse proxy that serves a server below a path prefix. @returns the URL of the prefix */
async function listenBehindPrefix(target: string, prefix: string): Promise<string> {
  const proxy = createServer((incoming, outgoing) => {
    const { method, headers, url = '/' } = incoming
    if (!url.startsWith(prefix)) return outgoing.writeHead(404).end()
    const forwarded = request(
      target + url.slice(prefix.length),
      { method, headers },
      (response) => {
        outgoing.writeHead(response.statusCode ?? 502, response.headers)
        response.pipe(outgoing)
      },
    )
    // The dashboard waits for events, and the server may end while it does.
    forwarded.on('error', () => outgoing.destroy())
    incoming.pipe(forwarded)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    proxy.close()
    proxy.closeAllConnections()
  })
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}${prefix}`
}
