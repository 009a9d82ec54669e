import { expect, test } from 'vitest'
import type { ComparedSetting } from '../../src/compare/comparison.ts'
import { describeUnexplained } from '../../src/compare/sentences.ts'
import type { SettingOverrides } from '../../src/settings/resolve.ts'
import { compareServer, foundIn, wrongIn } from '../support/compare/compare-server.ts'
import { allKeys, createServer, ownRows } from '../support/compare/own-server.ts'

test('a comparison with all keys finds the settings of a server, and leaves no row', async () => {
  const settings: SettingOverrides = {
    'annotations.delete.status': '404',
    'annotations.deleted.visibility': 'retrievable',
    'errors.body': 'list',
    'keys.missing.status': '403',
    'keys.write_implies_read': 'yes',
    'plugins.delete.global': 'refused',
    'plugins.list.limit.default': 7,
  }
  const server = createServer(settings)
  // As servers of other frameworks refuse a body.
  const as422: Pick<typeof server, 'fetch'> = {
    async fetch(url, init) {
      const { status, headers, body } = await server.fetch(url, init)
      return new Response(body, { status: status === 400 ? 422 : status, headers })
    },
  }

  const comparison = await compareServer(as422, allKeys)

  expect(foundIn(comparison)).toMatchObject(settings)
  expect(wrongIn(comparison, server.settings.values)).toEqual({})
  expect([ownRows(server), comparison.left]).toEqual([[], []])
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

test('a maximum that no value has is one difference, whatever limit was asked for', async () => {
  const server = createServer()
  const withMaximum: Pick<typeof server, 'fetch'> = {
    fetch: (url, init) => server.fetch(String(url).replace(/limit=\d{3,}/, 'limit=50'), init),
  }

  const comparison = await compareServer(withMaximum, { all: 'phx_all' }, { allowWrites: false })

  expect(comparison.unexplained.map(describeUnexplained)).toEqual([
    '50, and that of the request in a simulator',
  ])
})

test('a default limit that all lists have is found', async () => {
  const limits: SettingOverrides = {
    'annotations.list.limit.default': 25,
    'plugins.list.limit.default': 25,
    'projects.list.limit.default': 25,
  }

  const comparison = await compareServer(createServer(limits), { all: 'phx_all' })

  expect(foundIn(comparison)).toMatchObject(limits)
})

test('a status is named as it came, and what another setting hides is not said to be shown by no request', async () => {
  const server = createServer({ 'keys.www_authenticate': 'present' })
  // As FastAPI answers: 403 without a key, 401 for a wrong one, 422 for a limit that is too high.
  const like: Pick<typeof server, 'fetch'> = {
    async fetch(url, init) {
      const hasKey = new Headers(init?.headers).has('authorization')
      if (/limit=\d{4}/.test(String(url)) && hasKey) return Response.json({}, { status: 422 })
      return hasKey ? server.fetch(url, init) : Response.json({}, { status: 403 })
    },
  }

  const comparison = await compareServer(like, { all: 'phx_all' }, { allowWrites: false })

  const { unexplained, settings } = comparison
  const statuses = unexplained.filter(({ part }) => part === 'status').map(describeUnexplained)
  expect(statuses).toContain('422, and 2xx in a simulator')
  const { advice } = settings.find(({ id }) => id === 'keys.www_authenticate') as ComparedSetting
  expect(advice).toMatchObject({ what: 'pass' })
})
