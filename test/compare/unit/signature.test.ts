import { expect, test } from 'vitest'
import { type ProbeAnswer, signatureOf } from '../../../src/compare/signature.ts'

test.each([
  ['{"detail":"No"}', 'an object with detail'],
  ['{"attr":null,"detail":"No"}', 'an object with attr, detail'],
  ['{"error":{"message":"No"}}', 'an object with error (an object)'],
  ['{"errors":["No"]}', 'an object with errors (a list)'],
])('the form of the error %s is %s', (text, form) => {
  const answer = { probe: {}, status: 404, headers: new Headers(), text, values: {} }

  expect(signatureOf(answer as unknown as ProbeAnswer, {})?.parts.form).toBe(form)
})
