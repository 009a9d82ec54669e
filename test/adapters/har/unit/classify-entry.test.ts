import { expect, test } from 'vitest'
import { classifyEntry, findApiBase } from '../../../../src/adapters/har/classify-entry.ts'
import { exchangesToHar } from '../../../../src/adapters/har/write-har.ts'
import { createExchange } from '../../../support/scenarios/exchanges.ts'

const [entry] = exchangesToHar([createExchange({ heard: { count: 0 } })]).log.entries

/** What becomes of an entry that is otherwise as it should be. */
function sifted(
  request: object = {},
  response: object = {},
  fields: object = {},
): ReturnType<typeof classifyEntry> {
  const given = {
    ...entry,
    ...fields,
    request: { ...entry?.request, ...request },
    response: { ...entry?.response, ...response },
  }
  return classifyEntry(given, 'log.entries[0]', findApiBase)
}

test('a path of the API is one on any origin, below any prefix', () => {
  const list = '/api/projects/1/annotations/'

  expect(findApiBase(`https://app.example.com${list}?limit=2`)).toBe('https://app.example.com')
  expect(findApiBase(`https://a.test/api/mock${list}9`)).toBe('https://a.test/api/mock')
  expect(findApiBase(`http://127.0.0.1:4010/__sandbox/one${list}`)).toBe(
    'http://127.0.0.1:4010/__sandbox/one',
  )
  expect(findApiBase('https://app.example.com/api/users/')).toBeNull()
  expect(findApiBase(`https://app.example.com/?next=${list}`)).toBeNull()
})

test('what a browser does besides asking the API is left out', () => {
  const preflight = [{ name: 'Access-Control-Request-Method', value: 'GET' }]
  const options = { method: 'OPTIONS', headers: preflight }

  expect(sifted()).toMatchObject({ base: 'https://api.example.com' })
  expect(sifted({ url: 'https://a.test/icon.png' }, { status: 'none' })).toEqual({
    skipped: 'elsewhere',
  })
  expect(sifted({ url: 'data:,text' })).toEqual({ skipped: 'elsewhere' })
  expect(sifted({ url: 'wss://a.test/live' })).toEqual({ skipped: 'socket' })
  expect(sifted({}, {}, { _resourceType: 'preflight' })).toEqual({ skipped: 'preflight' })
  expect(sifted(options)).toEqual({ skipped: 'preflight' })
  expect(sifted({ method: 'OPTIONS' })).toMatchObject({ exchange: { method: 'OPTIONS' } })
  expect(sifted({}, {}, { _fromCache: 'disk' })).toEqual({ skipped: 'cached' })
  expect(sifted({}, { status: 0, _error: 'net::ERR_ABORTED' })).toEqual({ skipped: 'unanswered' })
  expect(sifted({}, { status: -1, _failureText: 'net::ERR_FAILED' })).toEqual({
    skipped: 'unanswered',
  })
})

test('a redirect is an answer like any other, and a connection that broke is one that broke', () => {
  const location = [{ name: 'location', value: '/api/projects/' }]
  const broken = { exchange: { answer: { status: 0, headers: [], body: null } } }

  expect(sifted({}, { status: 302, headers: location, content: { size: 0 } })).toMatchObject({
    exchange: { answer: { status: 302, headers: [['location', '/api/projects/']], body: null } },
  })
  expect(sifted({}, { status: 0, _error: null })).toMatchObject(broken)
  expect(sifted({}, { status: 0, _error: 'net::ERR_EMPTY_RESPONSE' })).toMatchObject(broken)
  expect(sifted({}, { status: 200, _error: 'net::ERR_CONTENT_LENGTH_MISMATCH' })).toMatchObject(
    broken,
  )
})

test('an entry without an address that can be read is a fault', () => {
  expect(sifted({ url: 5 })).toEqual({
    issues: ['log.entries[0].request.url: expected string, got 5'],
  })
})
