import assert from 'node:assert'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, before, test } from 'node:test'

let server
let url
before(async () => {
  server = spawn('node_modules/.bin/understudy-api', ['serve', '--port', '0', '--quiet'])
  const [printed] = await once(server.stdout, 'data')
  url = String(printed).trim()
})
after(() => server?.kill())

test('lists six annotations', async () => {
  const headers = { authorization: 'Bearer phx_all' }
  const response = await fetch(`${url}/api/projects/1/annotations/`, { headers })
  assert.equal((await response.json()).count, 6)
})
