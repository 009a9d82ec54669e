import { expect, test } from 'vitest'
import type { Probe } from '../../../src/compare/probes.ts'
import {
  causesBy,
  commonSignature,
  readSignature,
  type Signature,
  valueIn,
  withoutNoise,
} from '../../../src/compare/signature.ts'
import { differencesOf } from '../../../src/compare/signature-differences.ts'

const usual = { base: 'https://a.test', headers: new Headers(), values: {}, rows: new Map() }

function errorWith(status: number, text: string): Signature {
  return readSignature({ ...usual, probe: { path: '/' } as Probe, status, text })
}

test.each([
  [404, '{"detail":"No"}', 'form', 'an object with detail'],
  [404, '{"attr":null,"detail":"No"}', 'form', 'an object with attr, detail'],
  [404, '{"error":{"message":"No"}}', 'form', 'an object with error (an object)'],
  [422, '{"errors":["No"]}', 'form', 'an object with errors (a list)'],
  [404, '[{"detail":"No"}]', 'form', 'a list of objects with detail'],
  [403, '<h1>No</h1>', 'form of a refusal', 'an HTML page'],
  [500, '', 'form', 'nothing'],
])('of the error %i %s, the %s is %s', (status, text, part, form) => {
  expect(valueIn(errorWith(status, text), part)).toBe(form)
})

const redirectTo = (location: string, body: object) => {
  const probe = { method: 'POST', path: '/' } as Probe
  const headers = new Headers({ location })
  const values = { at: '2024-06-01T02:00:00+02:00', name: 'A' }
  const text = JSON.stringify(body)
  return readSignature({ ...usual, probe, status: 201, headers, text, values })
}

test.each([
  ['https://a.test/x', { id: 7, url: 'https://a.test/x' }, 'the url of the row'],
  ['None', { id: 7, url: null }, 'the url of the row'],
  ['/plugins/7/', { id: 7 }, 'the address of the row'],
  ['/plugins/8', { id: 7 }, 'another address'],
])('the location %s of %j is %s', (location, body, is) => {
  expect(valueIn(redirectTo(location, body), 'location')).toBe(is)
})

test('a row has equal moments and the id 0', () => {
  const signature = redirectTo('/', { id: 0, at: '2024-06-01T00:00:00Z', name: 'B' })

  const names = ['kept at', 'kept name', 'zero']
  expect([signature.status, ...names.map((name) => valueIn(signature, name))]).toEqual([
    ...['2xx', 'as it was sent', 'another value', true],
  ])
})

const linksOf = (next: string | null, previous: string | null = null) => {
  const probe = { method: 'GET', path: '/api/projects/' } as Probe
  const text = JSON.stringify({ count: 0, next, previous, results: [] })
  return valueIn(readSignature({ ...usual, probe, status: 200, text }), 'links')
}

test.each([
  ['/api/projects/?offset=1', 'URLs of the server'],
  ['https://a.test:443/api/projects/?offset=1', 'URLs of the server'],
  ['http://web:8000/api/', 'URLs of http://web:8000, not of https://a.test'],
  ['http://a.test/api/', 'URLs of http://a.test, not of https://a.test'],
  [null, undefined],
])('the links of a page that begin like %s are %s', (link, is) => {
  expect([linksOf(link), linksOf(null, link)]).toEqual([is, is])
})

test('errors have one cause if they have the same words but for names and ids', () => {
  const [missing, other, empty] = [
    '{"detail":"No row 7 \\"a\\".","request_id":"abc"}',
    '{"detail":"No row 9 \\"b\\".","request_id":"def"}',
    '',
  ].map((text) => errorWith(404, text)) as [Signature, Signature, Signature]
  const like = (name: string) => ({ path: '/', like: name }) as Probe
  const withCause = causesBy([like('missing row')], [missing])
  const ambiguous = causesBy([like('missing row'), like('unknown path')], [missing, other])
  const cause = (signature: Signature) => valueIn(signature, 'cause')

  expect([other, errorWith(404, '{"detail":"No"}'), empty].map(withCause).map(cause)).toEqual([
    ...['missing row', 'another one', undefined],
  ])
  expect(cause(ambiguous(other))).toBe(undefined)
})

test('errors that quote names by apostrophes have one cause', () => {
  const [missing, other] = ['a', 'b'].map((name) =>
    errorWith(404, JSON.stringify({ detail: `No row '${name}'.` })),
  ) as [Signature, Signature]
  const withCause = causesBy([{ path: '/', like: 'missing row' } as Probe], [missing])

  expect(valueIn(withCause(other), 'cause')).toBe('missing row')
})

test('what every answer has, and what differs the second time, shows nothing', () => {
  const [first, second] = ['/a', '/b'].map((path) => redirectTo(path, { id: 7 })) as [
    Signature,
    Signature,
  ]
  const [ok, missing] = [200, 404].map((status) => errorWith(status, '{}')) as [
    Signature,
    Signature,
  ]
  const other = redirectTo('/a', { id: 7, name: 'A' })
  const allow = readSignature({
    ...{ ...usual, probe: { path: '/' } as Probe, status: 200, text: '{}' },
    headers: new Headers({ allow: 'GET' }),
  })
  const has = (signature: Signature | null | undefined, name: string) =>
    signature?.parts.has(name) === true

  expect(commonSignature(ok, missing)).toBe(null)
  expect(commonSignature(first, other)).toBe(null)
  expect(has(commonSignature(first, redirectTo('/plugins/7', { id: 7 })), 'location')).toBe(false)
  expect(has(withoutNoise([first, second])[0], 'location')).toBe(false)
  expect(has(withoutNoise([first, ok])[0], 'location')).toBe(true)
  expect(has(withoutNoise([allow, allow])[0], 'allow')).toBe(false)
  expect(has(withoutNoise([allow, ok])[0], 'allow')).toBe(true)
})

test('an error without words is neither like another one nor unlike it', () => {
  const worded = errorWith(401, '{"detail":"No key"}')
  const withCause = causesBy([{ path: '/', like: 'missing key' } as Probe], [worded])

  const differences = differencesOf(withCause(worded), withCause(errorWith(401, '')))

  expect([...differences.keys()]).toEqual(['form of a refusal'])
})

test('a row whose id is not 0 differs from a list only in its kind of body', () => {
  const [row, list] = ['{"id":7}', '[]'].map((text) => {
    const probe = { method: 'GET', path: '/' } as Probe
    return readSignature({ ...usual, probe, status: 200, text })
  }) as [Signature, Signature]

  expect([...differencesOf(row, list).keys()]).toEqual(['shape'])
})
