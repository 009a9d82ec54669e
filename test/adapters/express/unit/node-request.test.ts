import { expect, test } from 'vitest'
import { LatestHeaders } from '../../../../src/adapters/express/node-request.ts'
import { authorization } from '../../../support/api/headers.ts'

test('equal headers share one object, and different headers do not', () => {
  const latest = new LatestHeaders()
  const first = latest.of({ host: 'a.test', accept: '*/*' })

  const others = [{ host: 'b.test', accept: '*/*' }, { host: 'a.test' }, {}, { host: 'a.test' }]
  const same = latest.of({ host: 'a.test', accept: '*/*' })
  const different = others.map((headers) => latest.of(headers))

  expect(same).toBe(first)
  expect(new Set([first, ...different]).size).toBe(5)
  expect(different.map((headers) => [...headers.entries()])).toEqual(others.map(Object.entries))
})

test('changing the headers of a request later does not change the stored headers', () => {
  const headers = authorization()
  const stored = new LatestHeaders().of(headers)

  headers.authorization = 'hidden'

  expect(stored.get('authorization')).toBe('Bearer phx_all')
})
