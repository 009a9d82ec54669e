import { expect, test } from 'vitest'
import type { Probe } from '../../../src/compare/probes.ts'
import {
  type ProbeAnswer,
  readAnswer,
  type Signature,
  signatureOf,
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
