import { expect, test } from 'vitest'
import { annotationsPath as list } from '../../support/api/paths.ts'
import { serve } from '../../support/transports/start.ts'

test('the token of a server is masked wherever it stands, also in sandboxes', async () => {
  const { ask, simulator } = await serve({}, { token: 'correct horse battery' })
  const { id, key } = simulator.sandboxes.create()
  const sandbox = simulator.sandboxes.get(id)

  for (const of of ['phx_all', key]) {
    await ask('GET', `${list}?search=correct%20horse%20battery`, { key: of })
    await ask('POST', list, { key: of, body: { content: 'of correct horse battery' } })
  }

  const shown = [simulator, sandbox].map((one) => JSON.stringify(one?.journal.find()))
  expect(shown.map((text) => text?.includes('battery'))).toEqual([false, false])
  expect(shown[0]).toContain('of corr…tery')
})
