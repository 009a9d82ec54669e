import { expect, test } from 'vitest'
import { LatestHeaders } from '../../../../src/adapters/express/node-request.ts'

test('headers that are sent again are one object, and any other ones are another', () => {
  const latest = new LatestHeaders()
  const first = latest.of({ host: 'a.test', accept: '*/*' })

  const others = [{ host: 'b.test', accept: '*/*' }, { host: 'a.test' }, {}, { host: 'a.test' }]
  const same = latest.of({ host: 'a.test', accept: '*/*' })
  const different = others.map((headers) => latest.of(headers))

  expect(same).toBe(first)
  expect(new Set([first, ...different]).size).toBe(5)
  expect(different.map((headers) => [...headers.entries()])).toEqual(others.map(Object.entries))
})

test('who changes the headers of a request later does not change what is kept of it', () => {
  const headers = { authorization: 'Bearer phx_all' }
  const kept = new LatestHeaders().of(headers)

  headers.authorization = 'hidden'

  expect(kept.get('authorization')).toBe('Bearer phx_all')
})
