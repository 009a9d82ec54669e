// An XMLHttpRequest in a page that Node imitates. MSW does not implement its `timeout`, so that a request without a
// response has no end, unless the page calls `abort()`.
import axios from 'axios'
import { test as simulated } from 'understudy-api/vitest'
import { expect, test } from 'vitest'
import { behaviourOf, ways } from './ways.mjs'

const clients = {
  XMLHttpRequest: (url, { authorization }) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest()
      request.onload = () => resolve(request.responseText)
      request.onerror = () => reject(new Error('error'))
      request.open('GET', url)
      request.setRequestHeader('authorization', authorization)
      request.send()
    }),
  axios: (url, headers) => axios.get(url, { headers, adapter: 'xhr' }),
  'axios with a signal': (url, headers) =>
    axios.get(url, { headers, adapter: 'xhr', signal: AbortSignal.timeout(400) }),
}
const named = (name, code) => ({ name, code, cause: undefined })
const cells = [
  ['XMLHttpRequest', 'drop before the write', { result: named('Error'), requests: [0] }],
  ['XMLHttpRequest', 'drop after the write', { result: named('Error'), requests: [0] }],
  ['XMLHttpRequest', 'cut body', { result: named('Error'), requests: [200] }],
  ['XMLHttpRequest', 'hold', { result: 'no end', requests: [] }],
  ['axios', 'drop before the write', { result: named('AxiosError', 'ERR_NETWORK'), requests: [0] }],
  ['axios', 'cut body', { result: named('AxiosError', 'ERR_NETWORK'), requests: [200] }],
  ['axios with a signal', 'hold', { result: named('CanceledError', 'ERR_CANCELED'), requests: [] }],
]

for (const way of ['setupServer', 'withSimulator']) {
  test.each(cells)(`${way}: %s, %s`, async (client, fault, expected) => {
    const met = await ways[way]((...where) => behaviourOf(clients[client], fault, ...where))
    expect(met).toEqual(expected)
  })
}

simulated.for(cells)(
  'understudy-api/vitest: %s, %s',
  async ([client, fault, expected], { simulator }) => {
    expect(await behaviourOf(clients[client], fault, simulator)).toEqual(expected)
  },
)
