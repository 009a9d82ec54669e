import { expect, test } from 'vitest'
import { mistakesIn, type Sent } from './entries.ts'

const create = (date_marker: string, status = 201, attr: string | null = null): Sent => ({
  method: 'POST',
  operation: 'createAnnotation',
  sent: { date_marker },
  status,
  body: { attr },
})
const [zero, local] = ['0001-01-01T00:00:00Z', '2024-06-20T11:00']

const times: readonly [rule: string, what: string, request: Sent, isReported: boolean][] = [
  ['zero-time', 'that is created', create(zero), true],
  ['zero-time', 'that is updated', create(zero, 200), true],
  ['zero-time', 'that is refused', create(zero, 400, 'date_marker'), true],
  ['zero-time', 'beside a refused field', create(zero, 400, 'scope'), false],
  ['zero-time', 'with a key without the scope', create(zero, 403), false],
  ['zero-time', 'without a response', create(zero, 0), false],
  ['zero-time', 'in local time', create('0001-01-01T00:00:00'), true],
  ['local-time', 'in local time', create('0001-01-01T00:00:00'), false],
  ['local-time', 'that is created', create(local), true],
  ['local-time', 'that is updated', create(local, 200), true],
  ['local-time', 'that is refused', create(local, 400, 'date_marker'), false],
  ['local-time', 'that is redirected', create(local, 301), false],
  ['local-time', 'without a response', create(local, 0), false],
]

test.each(times)('%s %s', (rule, _, request, isReported) => {
  const found = mistakesIn(rule, [request])

  const { date_marker } = request.sent as { date_marker: string }
  const message = `The client sent the date_marker ${date_marker}.`
  expect(found).toEqual(isReported ? [{ message, entries: [1] }] : [])
})
