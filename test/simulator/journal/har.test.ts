import type { Entry, Har } from 'har-format'
import { expect, test } from 'vitest'
import packageJson from '../../../package.json' with { type: 'json' }
import { createSimulator } from '../../../src/index.ts'
import { annotationsPath, noon } from '../../support/api/paths.ts'
import { findHarIssues } from '../../support/formats.ts'
import { start } from '../../support/transports/start.ts'

test('toHar exports the journal as HAR 1.2', async () => {
  const { ask, simulator, origin } = await start()
  await ask('POST', `${annotationsPath}?limit=1&search=a%20b`, { body: { content: 'Launch 🦔' } })

  const har: Har = simulator.journal.toHar()

  expect(har.log).toMatchObject({
    version: '1.2',
    creator: { name: 'understudy-api', version: packageJson.version },
    entries: [
      {
        startedDateTime: noon,
        request: {
          method: 'POST',
          url: `${origin}${annotationsPath}?limit=1&search=a%20b`,
          httpVersion: 'HTTP/1.1',
          queryString: [
            { name: 'limit', value: '1' },
            { name: 'search', value: 'a b' },
          ],
          postData: { mimeType: 'application/json', text: '{"content":"Launch 🦔"}' },
          bodySize: 25,
        },
        response: { status: 201, content: { mimeType: 'application/json' } },
        cache: {},
        _key: 'all',
        comment: 'entry 1: createAnnotation; ignored: ?limit; ignored: ?search',
      },
    ],
  })
  const [entry] = har.log.entries
  expect(JSON.parse(entry?.response.content.text ?? '')).toMatchObject({ content: 'Launch 🦔' })
  expect(entry?.response.content.size).toBe(entry?.response.bodySize)
  expect(entry?.time).toBe(entry?.timings.wait)
})

test('the sizes are those of the messages before secrets were replaced', async () => {
  const { ask, simulator } = await start()
  const body = { content: `The token is phx_${'a1'.repeat(18)}` }
  await ask('POST', annotationsPath, { body })

  const [{ request, response } = {} as Entry] = simulator.journal.toHar().log.entries

  expect(request.bodySize).toBe(JSON.stringify(body).length)
  expect(response.headers).toContainEqual({
    name: 'content-length',
    value: String(response.content.size),
  })
  expect(response.content.text).toContain('The token is replaced-key-')
})

test('every kind of entry is valid against the published schema', async () => {
  const { ask, simulator } = await start({ journal: { body: 5_000 } })
  await ask('GET', annotationsPath, { key: null })
  await ask('GET', '/api/nowhere/')
  await ask('HEAD', annotationsPath)
  await ask('POST', annotationsPath, {
    raw: 'half a {',
    headers: { 'content-type': 'application/json' },
  })
  await ask('POST', annotationsPath, { body: { content: 'x'.repeat(6_000) } })
  simulator.faults.add({ operation: 'listAnnotations', effect: { drop: true } })
  await ask('GET', annotationsPath).catch(() => {})

  const har = simulator.journal.toHar()

  // The status of no response is that of Playwright's archives.
  expect(har.log.entries.map(({ response }) => response.status)).toEqual([
    401, 404, 200, 400, 400, -1,
  ])
  expect(har.log.entries.map(({ comment }) => comment)).toEqual([
    'entry 1: listAnnotations; 401: the request has no Authorization header',
    'entry 2: no operation; 404: no operation has the path `/api/nowhere/`',
    'entry 3: listAnnotations',
    expect.stringMatching(/^entry 4: createAnnotation; 400: the body is not valid JSON: /),
    expect.stringMatching(/^entry 5: createAnnotation; 400: /),
    'entry 6: listAnnotations, fault-1 (before); no response: the fault `fault-1` was applied: the connection drops before the request is carried out',
  ])
  expect(har.log.entries.map((entry) => '_key' in entry)).toEqual([
    false,
    ...Array.from({ length: 5 }, () => true),
  ])
  expect(har.log.entries[4]?.request.postData).toEqual({
    mimeType: 'application/json',
    text: '',
    comment: 'this body was not kept',
  })
  expect(har.log.entries[2]?.response).toMatchObject({
    headers: expect.arrayContaining([{ name: 'content-type', value: 'application/json' }]),
    content: { size: 0, mimeType: 'application/json' },
    bodySize: 0,
  })
  expect(findHarIssues(har)).toBeNull()
  expect(findHarIssues({ log: { version: '1.2' } })).not.toBeNull()
})

test('a comment has no personal data', async () => {
  const { ask, simulator } = await start()
  await ask('POST', annotationsPath, { body: { scope: 'ada@mail.test' } })

  expect(simulator.journal.find()[0]?.reason).toContain('ada@mail.test')
  expect(JSON.stringify(simulator.journal.toHar())).not.toContain('ada@mail.test')
})

test('a URL is the one that the client addressed', async () => {
  const simulator = createSimulator()
  await simulator.fetch('https://api.example.com:8443/api/projects/?limit=1#top')
  await simulator.fetch('/api/nowhere/')

  const { entries } = simulator.journal.toHar().log

  expect(entries.map(({ request }) => request.url)).toEqual([
    'https://api.example.com:8443/api/projects/?limit=1',
    'http://localhost/api/nowhere/',
  ])
})
