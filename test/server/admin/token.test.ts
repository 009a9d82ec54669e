import { expect, test } from 'vitest'
import { annotationsPath as list } from '../../support/api/paths.ts'
import { serve } from '../../support/transports/start.ts'

test('the token of a server is masked wherever it stands, also in sandboxes, archives and recordings', async () => {
  const { ask, simulator } = await serve({}, { token: 'correct horse battery' })
  const { id, key } = simulator.sandboxes.create()
  const sandbox = simulator.sandboxes.get(id)

  for (const of of ['phx_all', key]) {
    await ask('GET', `${list}?search=correct%20horse%20battery`, { key: of })
    await ask('POST', list, { key: of, body: { content: 'of correct horse battery' } })
  }

  const shown = [simulator, sandbox].map((one) => JSON.stringify(one?.journal.find()))
  const written = [simulator, sandbox].map((one) => [one?.journal.toHar(), one?.record()])
  expect([...shown, JSON.stringify(written)].join()).not.toContain('battery')
  expect(shown[0]).toContain('of corr…tery')
})
