import { expect, test } from 'vitest'
import { profiles } from '../../src/settings/resolve.ts'
import { forbidden, notAllowed, unauthenticated } from '../support/api/errors.ts'
import { acme, annotationsPath } from '../support/api/paths.ts'
import { collectErrors } from '../support/errors.ts'
import { formatRequest, RawConnection } from '../support/lanes/raw-connection.ts'
import { start } from '../support/lanes/start.ts'

test('a connection can be used again after HEAD', async () => {
  const connection = await RawConnection.to((await start()).origin)

  connection.send(formatRequest('HEAD', annotationsPath))
  const head = await connection.readResponse('HEAD')
  connection.send(formatRequest('GET', `${annotationsPath}1/`))
  const next = await connection.readResponse()

  expect(head).toMatchObject({ status: 200, text: '' })
  expect(Number(head?.headers['content-length'])).toBeGreaterThan(100)
  expect(next?.status).toBe(200)
  expect(JSON.parse(next?.text ?? '')).toMatchObject({ id: 1 })
})

test('TRACE, which fetch cannot send, does the same', async () => {
  const { errors, onError } = collectErrors()
  const { origin } = await start({ onError }, { onError })
  const connection = await RawConnection.to(origin)

  connection
    .send(formatRequest('TRACE', annotationsPath))
    .send(formatRequest('TRACE', '/api/nothing'))
  const known = await connection.readResponse()
  const unknown = await connection.readResponse()

  expect(known?.status).toBe(405)
  expect(known?.headers.allow).toBe('GET, POST, HEAD, OPTIONS')
  expect(JSON.parse(known?.text ?? '').detail).toBe('Method "TRACE" not allowed.')
  expect(unknown?.status).toBe(404)
  expect(errors).toEqual([])
})

const single = `${annotationsPath}1/`
const plugins = `/api/organizations/${acme}/plugins/`

test.each(profiles)(
  'in the %s profile OPTIONS describes media types, and requires the scope to read',
  async (profile) => {
    const { ask } = await start({ profile })
    const forms = ['application/x-www-form-urlencoded', 'multipart/form-data']

    for (const path of [
      annotationsPath,
      single,
      `${annotationsPath}999/`,
      `${annotationsPath}abc/`,
      '/api/projects/',
      plugins,
    ]) {
      expect(await ask('OPTIONS', path), path).toEqual({
        status: 200,
        body: {
          name: expect.stringMatching(/\w/),
          description: expect.any(String),
          renders: ['application/json'],
          parses: ['application/json', ...(profile === 'live' ? forms : [])],
        },
      })
      expect(await ask('OPTIONS', path, { key: null }), path).toEqual(unauthenticated())
    }
    expect(await ask('OPTIONS', annotationsPath, { key: 'phx_plugins' })).toEqual(
      forbidden("API key missing required scope 'annotation:read'"),
    )
  },
)

test.each(profiles)(
  'in the %s profile HEAD responds like GET, without the body',
  async (profile) => {
    const client = await start({ profile })
    client.simulator.world.annotations.update(1, { content: 'Ünïcode 🦔' })

    for (const [path, key] of [
      ...([
        [annotationsPath, 'phx_all'],
        [single, 'phx_all'],
        ['/api/projects/', 'phx_all'],
      ] as const),
      ...([
        [`${annotationsPath}?limit=1&search=release`, 'phx_all'],
        [plugins, 'phx_all'],
      ] as const),
      ...([
        [`${annotationsPath}999/`, 'phx_all'],
        [annotationsPath, 'phx_plugins'],
        [annotationsPath, 'phx_nobody'],
      ] as const),
    ]) {
      const full = await client.send('GET', path, { key })
      const head = await client.send('HEAD', path, { key })
      const headOf = ({ status, headers }: Response) => [
        status,
        ...['content-type', 'content-length', 'allow'].map((name) => headers.get(name)),
      ]

      expect(headOf(head), path).toEqual(headOf(full))
      expect(Number(head.headers.get('content-length'))).toBe((await full.arrayBuffer()).byteLength)
      expect(await head.text()).toBe('')
    }
  },
)

test('in the documented profile an unknown method responds with 405 to any valid key', async () => {
  const { ask, simulator } = await start()
  const before = simulator.world.toJSON()

  for (const [method, path] of [
    ...([
      ['POST', single],
      ['PUT', single],
      ['PROPFIND', single],
      ['POST', '/api/projects/'],
    ] as const),
    ...([
      ['PUT', annotationsPath],
      ['PATCH', annotationsPath],
      ['DELETE', annotationsPath],
      ['PATCH', '/api/projects/'],
    ] as const),
    ...([
      ['PUT', plugins],
      ['PATCH', plugins],
      ['POST', `${plugins}21/`],
    ] as const),
  ]) {
    const options = { body: { content: 'x', name: 'x' } }
    for (const key of ['phx_all', 'phx_none', 'phx_plugin_read', 'phx_old']) {
      expect(await ask(method, path, { key, ...options }), path).toEqual(notAllowed(method))
    }
    expect(await ask(method, path, { key: null, ...options }), path).toEqual(unauthenticated())
  }
  expect(simulator.world.toJSON()).toEqual(before)
})

const optionNames = [
  ['21/check_for_updates', 'Check for updates', 'GET, HEAD, OPTIONS'],
  ['21/source', 'Source', 'GET, HEAD, OPTIONS'],
  ['21/update_source', 'Update source', 'PATCH, OPTIONS'],
  ['21/upgrade', 'Upgrade', 'POST, OPTIONS'],
  ['activity', 'All activity', 'GET, HEAD, OPTIONS'],
  ['exports_unsubscribe_configs', 'Exports unsubscribe configs', 'GET, HEAD, OPTIONS'],
  ['repository', 'Repository', 'GET, HEAD, OPTIONS'],
  ['unused', 'Unused', 'GET, HEAD, OPTIONS'],
  ['21', 'Plugin Instance', 'GET, PUT, PATCH, DELETE, HEAD, OPTIONS'],
  ['', 'Plugin List', 'GET, POST, HEAD, OPTIONS'],
] as const

test.each(optionNames)(
  'live, OPTIONS …/plugins/%s requires the scope to read, and names the path %s and its methods',
  async (path, name, allow) => {
    const client = await start({ profile: 'live' })

    const described = await client.send('OPTIONS', `${plugins}${path}`, { key: 'phx_plugin_read' })
    const refused = await client.ask('OPTIONS', `${plugins}${path}`, { key: 'phx_annotations' })

    expect([described.status, described.headers.get('allow')]).toEqual([200, allow])
    const body = await described.json()
    expect(body).toMatchObject({ name, description: '' })
    expect(body).not.toHaveProperty('actions')
    expect(refused).toEqual(forbidden("API key missing required scope 'plugin:read'"))
  },
)
