import { beforeEach, test } from 'vitest'
import { createSimulator, type Simulator } from '../../../../src/index.ts'
import { reportRun } from '../../../../src/vitest.ts'

const shared = createSimulator({ profile: 'live' })
reportRun(shared)
const send = ({ fetch, defaults }: Simulator, path: string) =>
  fetch.call(shared, path, { headers: { authorization: `Bearer ${defaults.key}` } })

test('uses the simulator of the file', async () => {
  await send(shared, '/api/projects/1/annotations/1/')
})

test('uses the simulator of the file again', async () => {
  await send(shared, '/api/projects/1/annotations/2/')
})

let own: Simulator
beforeEach(() => {
  own = createSimulator({ profile: 'live' })
  reportRun(own)
})

test('uses its own simulator', async () => {
  const headers = { authorization: `Bearer ${own.defaults.key}` }
  await own.fetch('/api/organizations/@current/plugins/', { headers })
})
