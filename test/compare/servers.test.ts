import { expect, test } from 'vitest'
import { compareServer, foundIn, wrongIn } from '../support/compare/compare-server.ts'
import {
  createServer,
  isVisible,
  ownRows,
  randomSettings,
  randomWorld,
} from '../support/compare/own-server.ts'
import { createRandom } from '../support/random.ts'

test('a comparison with all keys finds each visible one of random settings', async () => {
  const random = createRandom(2)
  const settings = randomSettings(random)
  const { world, keys } = randomWorld(random)
  const server = createServer(settings, world)

  const comparison = await compareServer(server, keys)

  const { values } = server.settings
  const missed = comparison.settings
    .filter(({ id, value }) => value === null && isVisible(id, values))
    .map(({ id, open }) => `${id}: ${open}`)
  expect(wrongIn(comparison, values)).toEqual({})
  expect([missed, ownRows(server)]).toEqual([[], []])
})

test('nothing is concluded from a row that a refused write left as it was', async () => {
  const server = createServer()
  const refusing: Pick<typeof server, 'fetch'> = {
    async fetch(url, init) {
      const isRefused = init?.method === 'PATCH' && `${init.body}`.includes('"is_global":true')
      return isRefused ? new Response(null, { status: 403 }) : server.fetch(url, init)
    },
  }

  const comparison = await compareServer(refusing, { all: 'phx_all' })

  const found = foundIn(comparison)
  expect(wrongIn(comparison, server.settings.values)).toEqual({})
  expect(found).toMatchObject({ 'annotations.delete.status': '405' })
  expect(found).not.toHaveProperty('plugins.delete.global')
})
