import { expect, test } from 'vitest'
import { classifyEntry, findApiBase } from '../../../../src/adapters/har/parse-entry.ts'
import { exchangesToHar } from '../../../../src/adapters/har/write-har.ts'
import { createExchange } from '../../../support/scenarios/exchanges.ts'

const [entry] = exchangesToHar([createExchange({ received: { count: 0 } })]).log.entries

/** Classifies a valid entry with these changes. */
function classify(
  request: object = {},
  response: object = {},
  fields: object = {},
): ReturnType<typeof classifyEntry> {
  const value = {
    ...entry,
    ...fields,
    request: { ...entry?.request, ...request },
    response: { ...entry?.response, ...response },
  }
  return classifyEntry(value, ['log', 'entries', 0], findApiBase)
}

test('API paths are recognized on any origin and below any prefix', () => {
  const list = '/api/projects/1/annotations/'

  expect(findApiBase(`https://app.example.com${list}?limit=2`)).toBe('https://app.example.com')
  expect(findApiBase(`https://a.test/api/mock${list}9`)).toBe('https://a.test/api/mock')
  expect(findApiBase(`http://127.0.0.1:4010/__sandbox/one${list}`)).toBe(
    'http://127.0.0.1:4010/__sandbox/one',
  )
  expect(findApiBase('https://app.example.com/api/users/')).toBeNull()
  expect(findApiBase(`https://app.example.com/?next=${list}`)).toBeNull()
})

test('entries of a browser that are not API requests are skipped', () => {
  const preflight = [{ name: 'Access-Control-Request-Method', value: 'GET' }]
  const options = { method: 'OPTIONS', headers: preflight }

  expect(classify()).toMatchObject({ base: 'https://api.example.com' })
  expect(classify({ url: 'https://a.test/icon.png' }, { status: 'none' })).toEqual({
    skipped: 'elsewhere',
  })
  expect(classify({ url: 'data:,text' })).toEqual({ skipped: 'elsewhere' })
  expect(classify({ url: 'wss://a.test/live' })).toEqual({ skipped: 'socket' })
  expect(classify({}, {}, { _resourceType: 'preflight' })).toEqual({ skipped: 'preflight' })
  expect(classify(options)).toEqual({ skipped: 'preflight' })
  expect(classify({ method: 'OPTIONS' })).toMatchObject({ exchange: { method: 'OPTIONS' } })
  expect(classify({}, {}, { _fromCache: 'disk' })).toEqual({ skipped: 'cached' })
  expect(classify({}, { status: 0, _error: 'net::ERR_ABORTED' })).toEqual({ skipped: 'cancelled' })
  expect(classify({}, { status: 0, _error: 'net::ERR_BLOCKED_BY_CLIENT' })).toEqual({
    skipped: 'unsent',
  })
  // The tools of Chromium write no reason, and Playwright the short one of the protocol.
  expect(classify({}, { status: 0, _error: '' })).toEqual({ skipped: 'unsent' })
  expect(classify({}, { status: -1, _failureText: 'inspector' })).toEqual({ skipped: 'unsent' })
})

test('a redirect is an ordinary response, and a broken connection has status 0', () => {
  const location = [{ name: 'location', value: '/api/projects/' }]
  const broken = { exchange: { response: { status: 0, headers: [], body: null } } }

  expect(classify({}, { status: 302, headers: location, content: { size: 0 } })).toMatchObject({
    exchange: { response: { status: 302, headers: [['location', '/api/projects/']], body: null } },
  })
  // Playwright writes -1 for a size that it does not know.
  const empty = [{ name: 'content-length', value: '0' }]
  expect(classify({}, { status: 302, headers: empty, content: { size: -1 } })).toMatchObject({
    exchange: { response: { status: 302 } },
  })
  expect(
    classify({}, { status: 200, bodySize: 548, content: { size: -1, mimeType: 'text/plain' } }),
  ).toMatchObject({ exchange: { response: { status: 200, body: { omitted: 548 } } } })
  expect(classify({}, { status: 0, _error: null })).toMatchObject(broken)
  expect(classify({}, { status: 0, _error: 'net::ERR_EMPTY_RESPONSE' })).toMatchObject(broken)
  expect(classify({}, { status: 200, _error: 'net::ERR_CONTENT_LENGTH_MISMATCH' })).toMatchObject(
    broken,
  )
})

test('a response whose body the page did not read is complete', () => {
  const unread = (length: string, response: object): ReturnType<typeof classifyEntry> => {
    const headers = [{ name: 'content-length', value: length }]
    return classify({}, { headers, bodySize: -1, content: { size: -1 }, ...response })
  }

  // Playwright notes an empty body that a page of Chromium did not read as aborted.
  expect(unread('0', { status: 503, _failureText: 'net::ERR_ABORTED' })).toMatchObject({
    exchange: { response: { status: 503, body: null } },
  })
  expect(unread('490', { status: 200 })).toMatchObject({
    exchange: { response: { status: 200, body: { omitted: 490 } } },
  })
  expect(unread('490', { status: 304 })).toMatchObject({
    exchange: { response: { status: 304, body: null } },
  })
  expect(unread('490', { status: 200, _failureText: 'net::ERR_ABORTED' })).toEqual({
    skipped: 'cancelled',
  })
})

test('an entry without a valid URL is an issue', () => {
  expect(classify({ url: 5 })).toEqual({
    issues: [
      {
        path: ['log', 'entries', 0, 'request', 'url'],
        text: 'expected string, got 5',
        root: '',
      },
    ],
  })
})
