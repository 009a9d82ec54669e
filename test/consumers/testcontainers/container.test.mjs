import assert from 'node:assert'
import { after, before, test } from 'node:test'
import { GenericContainer, Wait } from 'testcontainers'

let container
before(async () => {
  container = await new GenericContainer('understudy-api:0.1.0')
    .withEnvironment({ UNDERSTUDY_TOKEN: 'a-token' })
    .withExposedPorts(4010)
    .withWaitStrategy(Wait.forHealthCheck())
    .start()
})
after(() => container?.stop())

test('lists six annotations', async () => {
  const url = `http://${container.getHost()}:${container.getMappedPort(4010)}`
  const headers = { authorization: 'Bearer phx_all' }
  const response = await fetch(`${url}/api/projects/1/annotations/`, { headers })
  assert.equal((await response.json()).count, 6)
})
