import { expect, test } from 'vitest'
import { forbidden, notAllowed, unauthenticated } from './support/refusals.ts'
import { start } from './support/start.ts'
import { organization } from './support/walk.ts'

const list = '/api/projects/1/annotations/'
const one = `${list}1/`
const plugins = `/api/organizations/${organization}/plugins/`
const profiles = [{ profile: 'documented' }, { profile: 'live' }] as const

test.each(profiles)(
  'in $profile OPTIONS tells what goes in and out, to keys that may read [§7:options]',
  async ({ profile }) => {
    const { ask } = await start({ profile })
    const forms = ['application/x-www-form-urlencoded', 'multipart/form-data']

    for (const path of [list, one, `${list}999/`, `${list}abc/`, '/api/projects/', plugins]) {
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
    expect(await ask('OPTIONS', list, { key: 'phx_plugins' })).toEqual(
      forbidden("API key missing required scope 'annotation:read'"),
    )
  },
)

test.each(profiles)(
  'in $profile HEAD answers as GET does, without the body [§7:head] [§3:head]',
  async ({ profile }) => {
    const client = await start({ profile })
    client.simulator.world.annotations.update(1, { content: 'Ünïcode 🦔' })

    for (const [path, key] of [
      ...([
        [list, 'phx_all'],
        [one, 'phx_all'],
        ['/api/projects/', 'phx_all'],
      ] as const),
      ...([
        [`${list}?limit=1&search=release`, 'phx_all'],
        [plugins, 'phx_all'],
      ] as const),
      ...([
        [`${list}999/`, 'phx_all'],
        [list, 'phx_plugins'],
        [list, 'phx_nobody'],
      ] as const),
    ]) {
      const got = await client.send('GET', path, { key })
      const head = await client.send('HEAD', path, { key })
      const seen = ({ status, headers }: Response) => [
        status,
        ...['content-type', 'content-length', 'allow'].map((name) => headers.get(name)),
      ]

      expect(seen(head), path).toEqual(seen(got))
      expect(Number(head.headers.get('content-length'))).toBe((await got.arrayBuffer()).byteLength)
      expect(await head.text()).toBe('')
    }
  },
)

test('by the document a method that a path does not have is refused to any valid key [§1:method]', async () => {
  const { ask, simulator } = await start()
  const before = simulator.world.toJSON()

  for (const [method, path] of [
    ...([
      ['POST', one],
      ['PUT', one],
      ['PROPFIND', one],
      ['POST', '/api/projects/'],
    ] as const),
    ...([
      ['PUT', list],
      ['PATCH', list],
      ['DELETE', list],
      ['PATCH', '/api/projects/'],
    ] as const),
    ...([
      ['PUT', plugins],
      ['PATCH', plugins],
      ['POST', `${plugins}21/`],
    ] as const),
  ]) {
    const asked = { body: { content: 'x', name: 'x' } }
    for (const key of ['phx_all', 'phx_none', 'phx_plugin_read', 'phx_old']) {
      expect(await ask(method, path, { key, ...asked }), path).toEqual(notAllowed(method))
    }
    expect(await ask(method, path, { key: null, ...asked }), path).toEqual(unauthenticated())
  }
  expect(simulator.world.toJSON()).toEqual(before)
})
