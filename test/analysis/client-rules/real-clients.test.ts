import { expect, test } from 'vitest'
import { changeClients } from './clients/changes.ts'
import { rulesBrokenBy } from './clients/client.ts'
import { createClients } from './clients/creates.ts'
import { listClients } from './clients/lists.ts'
import { requestClients } from './clients/requests.ts'
import { retryClients } from './clients/retries.ts'
import { sharingClients } from './clients/tests.ts'

const clients = [
  ...listClients,
  ...createClients,
  ...changeClients,
  ...retryClients,
  ...requestClients,
  ...sharingClients,
]

test('half of the clients are correct', () => {
  const correct = clients.filter(({ mistakes }) => mistakes.length === 0)

  expect(correct.length).toBeGreaterThanOrEqual(30)
  expect(clients.length - correct.length).toBeGreaterThanOrEqual(30)
})

test.for(clients.map((client) => [client.client, client] as const))('%s', async ([, client]) => {
  const said = await rulesBrokenBy(client)

  expect(said).toEqual(client.mistakes)
})
