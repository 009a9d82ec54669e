import { expect, test } from 'vitest'
import { createSimulator } from '../../src/simulator.ts'
import { run } from '../support/cli/command.ts'
import { temporaryFile } from '../support/files.ts'

const list = '/api/projects/1/annotations/'

/** An archive of two pages, as a page has it whose server forwards requests to the service. */
async function pagesBehindProxy(page: string, service: string): Promise<string> {
  const simulator = createSimulator({ baseUrl: service, clock: '2024-06-15T12:00:00Z' })
  const headers = { authorization: `Bearer ${simulator.defaults.key}` }
  await simulator.fetch(`${service}${list}?limit=4`, { headers })
  await simulator.fetch(`${service}${list}?limit=4&offset=4`, { headers })
  const { log } = simulator.journal.toHar()
  const entries = log.entries.map((entry) => {
    const { url } = entry.request
    return { ...entry, request: { ...entry.request, url: page + url.slice(url.indexOf('/api/')) } }
  })
  return temporaryFile(JSON.stringify({ log: { ...log, entries } }))
}

test.each([
  ['https://app.example.com', 'http://app.example.com'],
  ['http://localhost:5173/backend', 'http://127.0.0.1:8000'],
])('links of a page at %s lead to it, although the service wrote %s', async (page, service) => {
  const [file, out] = [await pagesBehindProxy(page, service), temporaryFile('')]

  await run(['import', file, '--out', out])

  expect(await run(['replay', out])).toMatchObject({ code: 0 })
  expect(await run(['compare', file, '--fail-on', 'unexplained'])).toMatchObject({ code: 0 })
})
