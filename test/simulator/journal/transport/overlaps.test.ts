import { expect, test } from 'vitest'
import { annotationsPath } from '../../../support/api/paths.ts'
import { formatRequest, RawConnection } from '../../../support/transports/raw-connection.ts'
import { serve } from '../../../support/transports/start.ts'

test('a client that does not read its response makes no repetition of the requests of another client', async () => {
  const { simulator, ask, origin } = await serve({ profile: 'live' })
  const path = '/api/organizations/@current/plugins/23/update_source/'
  const body = JSON.stringify({ 'index.ts': 'x'.repeat(15_000_000) })
  const slow = await RawConnection.to(origin)
  slow.socket.pause()
  slow.send(formatRequest('PATCH', path, { body, headers: { authorization: 'Bearer phx_old' } }))
  await expect.poll(() => simulator.journal.find().length).toBe(1)

  await ask('POST', annotationsPath, { body: { content: 'Launch' } })
  await ask('POST', annotationsPath, { body: { content: 'Launch' } })

  expect(simulator.journal.find().map(({ overlaps }) => overlaps)).toEqual([undefined, [1], [1]])
  expect(simulator.journal.mistakes()).toEqual([])
})
