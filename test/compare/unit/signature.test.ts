import { expect, test } from 'vitest'
import type { Probe } from '../../../src/compare/probes.ts'
import {
  commonSignature,
  type ProbeAnswer,
  readAnswer,
  type Signature,
  signatureOf,
  withoutNoise,
} from '../../../src/compare/signature.ts'
import { differencesOf } from '../../../src/compare/signature-differences.ts'

function answerWith(status: number, text: string): ProbeAnswer {
  const probe = { path: '/' } as Probe
  return readAnswer({ probe, status, headers: new Headers(), text, values: {}, rows: new Map() })
}

test.each([
  ['{"detail":"No"}', 'an object with detail'],
  ['{"attr":null,"detail":"No"}', 'an object with attr, detail'],
  ['{"error":{"message":"No"}}', 'an object with error (an object)'],
  ['{"errors":["No"]}', 'an object with errors (a list)'],
])('the form of the error %s is %s', (text, form) => {
  expect(signatureOf(answerWith(404, text), {})?.parts.form).toBe(form)
})

const redirectTo = (location: string, body: object) => {
  const probe = { method: 'POST', path: '/' } as Probe
  const headers = new Headers({ location, 'content-type': ' Application/JSON ; a=b' })
  const values = { at: '2024-06-01T02:00:00+02:00', name: 'A' }
  const text = JSON.stringify(body)
  return signatureOf(readAnswer({ probe, status: 201, headers, text, values, rows: new Map() }), {})
}

test.each([
  ['https://a.test/x', { id: 7, url: 'https://a.test/x' }, 'the url of the row'],
  ['None', { id: 7, url: null }, 'the url of the row'],
  ['/plugins/7/', { id: 7 }, 'the address of the row'],
  ['/plugins/8', { id: 7 }, 'another address'],
])('the location %s of %j is %s', (location, body, is) => {
  expect(redirectTo(location, body)?.parts.location).toBe(is)
})

test('a row has its media type, equal moments and the id 0', () => {
  const signature = redirectTo('/', { id: 0, at: '2024-06-01T00:00:00Z', name: 'B', count: null })

  expect(signature).toMatchObject({
    ...{ status: '2xx', kept: { at: true, name: false }, parts: { zero: true } },
    shown: { 'header content-type': 'application/json', 'type of count': 'null' },
  })
})

test.each([
  [302, '', {}, '3xx'],
  [422, '{"detail":"No"}', { form: 'an object with detail' }, '400'],
  [403, '{"detail":"No"}', { 'form of a refusal': 'an object with detail' }, '403'],
])('the status %i with the body %j has the parts %j', (status, text, parts, name) => {
  expect(signatureOf(answerWith(status, text), {})).toMatchObject({ status: name, parts })
})

test('a page in place of the API shows nothing, and messages are compared without names and ids', () => {
  const missing = answerWith(404, '{"detail":"No row 7 \\"a\\".","request_id":"abc"}')
  const other = answerWith(404, '{"detail":"No row 9 \\"b\\".","request_id":"def"}')
  const references = { 'missing row': missing }

  expect(signatureOf(answerWith(404, '<h1>Not found</h1>'), references)).toBe(null)
  expect(signatureOf(other, references)?.parts).toMatchObject({ 'like missing row': true })
  expect(signatureOf(answerWith(400, ''), references)?.parts).toMatchObject({
    'like missing row': false,
  })
})

test('what every answer has, and what differs the second time, shows nothing', () => {
  const [first, second] = ['/a', '/b'].map((path) => redirectTo(path, { id: 7 })) as [
    Signature,
    Signature,
  ]
  const [ok, missing] = [200, 404].map((status) => signatureOf(answerWith(status, '{}'), {})) as [
    Signature,
    Signature,
  ]
  const allow = { ...ok, allow: 'GET' }

  expect(commonSignature(ok, missing)).toBe(null)
  expect(commonSignature(first, { ...second, kept: { name: true } })).toBe(null)
  expect(commonSignature(first, { ...second, parts: {} })?.parts).toEqual({})
  expect(withoutNoise([first, second])[0]?.parts).not.toHaveProperty('location')
  expect(withoutNoise([first, ok])[0]?.parts).toHaveProperty('location')
  expect(withoutNoise([allow, allow])[0]?.parts).not.toHaveProperty('allow')
  expect(withoutNoise([allow, ok])[0]?.parts).toHaveProperty('allow')
})

test('an error without words is neither like another one nor unlike it', () => {
  const [worded, empty] = ['{"detail":"No key"}', ''].map((text) => {
    const answer = answerWith(401, text)
    return signatureOf(answer, { 'missing key': answer }) as Signature
  }) as [Signature, Signature]

  const differences = differencesOf(worded, empty)

  expect([worded.parts['like missing key'], [...differences.keys()]]).toEqual([
    true,
    ['form of a refusal'],
  ])
})
