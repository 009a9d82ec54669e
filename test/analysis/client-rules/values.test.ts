import { expect, test } from 'vitest'
import { mistakesIn, type Sent } from './entries.ts'

const create = (date_marker: string, status = 201, attr: string | null = null): Sent => ({
  method: 'POST',
  operation: 'createAnnotation',
  sent: { date_marker },
  status,
  body: { attr },
})
const local = '2024-06-20T11:00'

const times: readonly [what: string, request: Sent, isReported: boolean][] = [
  ['that is created', create(local), true],
  ['that is updated', create(local, 200), true],
  ['that is refused', create(local, 400, 'date_marker'), false],
  ['that is redirected', create(local, 301), false],
  ['without a response', create(local, 0), false],
]

test.each(times)('a local time %s', (_, request, isReported) => {
  const found = mistakesIn('local-time', [request])

  const { date_marker } = request.sent as { date_marker: string }
  const message = `The client sent the date_marker ${date_marker}.`
  expect(found).toEqual(isReported ? [{ message, entries: [1] }] : [])
})
