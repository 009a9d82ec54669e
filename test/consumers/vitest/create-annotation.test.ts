import { test } from 'understudy-api/vitest'
import { expect } from 'vitest'

test('creates an annotation', async ({ simulator, as }) => {
  simulator.faults.add({ preset: 'lost-create' }) // the row is stored, and the first response is lost
  const url = 'https://app.example.com/api/projects/1/annotations/'
  const headers = { ...as('annotations').headers, 'content-type': 'application/json' } // a key that reads and writes
  const create = () => fetch(url, { method: 'POST', headers, body: '{"content": "Launch"}' })
  const response = await create().catch(create) // your client here: if the network fails, it sends the request again
  expect((await response.json()).content).toBe('Launch')
})
