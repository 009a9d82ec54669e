import { expect, test } from 'vitest'
import { type ProbeAnswer, type Signature, signatureOf } from '../../../src/compare/signature.ts'
import { differencesOf } from '../../../src/compare/signature-differences.ts'

test.each([
  ['{"detail":"No"}', 'an object with detail'],
  ['{"attr":null,"detail":"No"}', 'an object with attr, detail'],
  ['{"error":{"message":"No"}}', 'an object with error (an object)'],
  ['{"errors":["No"]}', 'an object with errors (a list)'],
])('the form of the error %s is %s', (text, form) => {
  const answer = { probe: {}, status: 404, headers: new Headers(), text, values: {} }

  expect(signatureOf(answer as unknown as ProbeAnswer, {})?.parts.form).toBe(form)
})

test('an error without words is neither like another one nor unlike it', () => {
  const toAnswer = (text: string): ProbeAnswer => {
    const answer = { probe: {}, status: 401, headers: new Headers(), text, values: {} }
    return answer as unknown as ProbeAnswer
  }
  const [worded, empty] = ['{"detail":"No key"}', ''].map((text) => {
    return signatureOf(toAnswer(text), { 'missing key': toAnswer(text) }) as Signature
  }) as [Signature, Signature]

  const differences = differencesOf(worded, empty)

  expect([worded.parts['like missing key'], [...differences.keys()]]).toEqual([
    true,
    ['form of a refusal'],
  ])
})
