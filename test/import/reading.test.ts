import { expect, test } from 'vitest'
import { toReplaying } from '../../src/import/answers.ts'
import { importExchanges } from '../../src/import/import-exchanges.ts'
import { readHar } from '../../src/import/read-har.ts'
import { createSimulator } from '../../src/index.ts'
import { annotationsPath } from '../support/api/paths.ts'
import { createPage, createRow, createTraffic } from '../support/traffic.ts'

const request = { method: 'GET', url: `https://app.example.com${annotationsPath}`, headers: [] }
const response = { status: 200, headers: [], content: { text: '{}' } }
const entry = { startedDateTime: '2024-06-15T12:00:00.000Z', time: 5, request, response }

test.each([
  ['11:59:59.900', 2],
  ['11:59:59.899', 3],
  ['12:00:00.105', 2],
  ['12:00:00.106', 3],
])('a request of a page, and two of its service worker at %s, are %i requests', (time, count) => {
  const startedDateTime = `2024-06-15T${time}Z`
  const ofWorker = { ...entry, startedDateTime, _serviceWorkerRef: 'worker@1' }
  const entries = [entry, ofWorker, { ...ofWorker, time: 6 }]

  const { exchanges } = readHar({ log: { version: '1.1', entries } }, 'a.har', undefined, {})

  expect(exchanges).toHaveLength(count)
})

test('a request of a page that Chromium shows for its service worker, too, is one request', () => {
  const ofPage = { ...entry, response: { ...response, _fetchedViaServiceWorker: true } }
  const alone = { ...ofPage, request: { ...request, url: `${request.url}?limit=1` } }
  const entries = [ofPage, entry, alone]

  const { exchanges } = readHar({ log: { version: '1.2', entries } }, 'a.har', undefined, {})

  expect(exchanges).toHaveLength(2)
})

test('an archive of a later version is refused', () => {
  const archive = { log: { version: '1.3', entries: [entry] } }

  expect(() => readHar(archive, 'a.har', undefined, {})).toThrow(
    /expected 1\.1 or 1\.2, got "1\.3"/,
  )
})

test.each([
  ['email', '[email redacted]'],
  ['email', null],
  ['uuid', ''],
  ['first_name', undefined],
  ['is_email_verified', '***'],
  ['id', '***'],
])('a hidden %s of an author makes nothing useless: %j', async (name, value) => {
  const row = (content: string) => {
    const shown = createRow(4, content)
    return { ...shown, created_by: { ...Object(shown).created_by, [name]: value } }
  }
  const change = { method: 'PATCH', url: `${annotationsPath}4/`, sent: { content: 'New' } }
  const listed = { received: createPage(row('Before')) }
  const traffic = createTraffic(listed, { ...change, received: row('New') })

  const imported = await importExchanges(traffic, {})

  const { scenario: replaying } = await toReplaying(imported, imported.scenario)
  expect(imported.isWhole).toBe(true)
  expect((await createSimulator().run(replaying)).passed).toBe(true)
})

test('a hidden author of a row that the client created needs no fault', async () => {
  const sent = { content: 'New', date_marker: '2024-06-01T00:00:09Z', scope: 'project' }
  const received = createRow(9, 'New', { created_by: '[REDACTED]' })
  const traffic = createTraffic({ method: 'POST', sent, status: 201, received })

  expect((await importExchanges(traffic, {})).isWhole).toBe(true)
})

test.each([
  [request.url, [{ name: 'search', value: 'a b' }], `${request.url}?search=a+b`],
  [`${request.url}?search=note 1`, [], `${request.url}?search=note%201`],
  [`${request.url}?search=a+b`, [{ name: 'search', value: 'a b' }], `${request.url}?search=a+b`],
  [`${request.url}?search=a`, [{ name: 'search', value: 'b' }], `${request.url}?search=a`],
  [`${request.url}?`, [{ name: 'search', value: 'b' }], `${request.url}?search=b`],
  [request.url, [{ name: '', value: '' }], request.url],
  [request.url, null, request.url],
])('the query of %s with %j beside it', (url, queryString, expected) => {
  const entries = [{ ...entry, request: { ...request, url, queryString } }]

  const archive = { log: { version: '1.2', entries } }
  const { exchanges } = readHar(archive, 'a.har', undefined, {})

  expect(exchanges[0]?.url).toBe(expected)
})
