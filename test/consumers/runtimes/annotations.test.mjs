// Bun and Deno, whose test runners know node:test.
import assert from 'node:assert'
import http, * as all from 'node:http'
import test from 'node:test'
import { withSimulator } from 'understudy-api/node'

const path = '/api/projects/1/annotations/'
const { get } = all
const kept = fetch

/** What each form of an import of node:http gets: a status, or the message of an error. */
const forms = [
  ['import http', (...args) => http.get(...args), 200],
  ['import * as http', (...args) => all.get(...args), 'was refused'],
  ['import { get }', (...args) => get(...args), 'was refused'],
]
for (const [form, send, expected] of forms) {
  test(`${form} is answered, or refused by name`, () =>
    withSimulator(async ({ as }) => {
      const { headers } = as('all')
      const got = await new Promise((resolve) => {
        const request = send(`http://app.example.com${path}`, { headers }, (response) => {
          response.resume()
          resolve(response.statusCode)
        })
        request.on('error', ({ message }) => resolve(message))
      })
      assert.ok(String(got).includes(expected), String(got))
    }))
}

test('a simulator answers in the same process', () =>
  withSimulator(async ({ simulator, as }) => {
    const url = `https://app.example.com${path}`
    const page = await (await fetch(url, { headers: as('all').headers })).json()
    assert.equal(page.count, 6)
    assert.ok(simulator.journal.verify({ operation: 'listAnnotations', count: 1 }).passed)
    simulator.faults.add({ operation: 'listAnnotations', effect: { drop: true } })
    await assert.rejects(fetch(url, { headers: as('all').headers }), { name: 'TypeError' })
  }))

test('a fetch that a client kept is answered', () =>
  withSimulator(async ({ as }) => {
    const { headers } = as('all')
    assert.equal((await kept(`https://app.example.com${path}`, { headers })).status, 200)
  }))

test('the server of exec answers', async () => {
  const { UNDERSTUDY_URL, UNDERSTUDY_KEY } = process.env
  const headers = { authorization: `Bearer ${UNDERSTUDY_KEY}` }
  const page = await (await fetch(`${UNDERSTUDY_URL}${path}`, { headers })).json()
  assert.equal(page.count, 6)
})

for (const name of ['', '/node', '/browser', '/express', '/factories', '/playwright']) {
  test(`understudy-api${name} loads`, async () => {
    assert.notDeepEqual(Object.keys(await import(`understudy-api${name}`)), [])
  })
}
