import { expect, test } from 'vitest'
import { forbidden, notFound } from '../../support/api/errors.ts'
import { acme } from '../../support/api/paths.ts'
import { bare, legacyKey, neighbours, plugins } from '../../support/api/plugins.ts'
import { start } from '../../support/lanes/start.ts'

const tooLow = forbidden("Your organization's plugin access level is insufficient.")
const url = 'https://github.com/acme/hello'
const notRoot = forbidden("This organization can't manage global plugins!")

async function atLevel(acme: number, profile: 'documented' | 'live' = 'live') {
  const started = await start({ world: neighbours({ acme }), profile })
  started.simulator.world.plugins.create({ id: 1, plugin_type: 'source', url })
  return { ...started, simulator: started.simulator, send: started.send.bind(started) }
}

const reading = ['', '1/', 'activity/', 'exports_unsubscribe_configs/', 'repository/', 'unused/']
const writing = [
  ['POST', '', { plugin_type: 'source' }],
  ['PATCH', '1/', {}],
  ['PUT', '1/', {}],
  ['PATCH', '1/update_source/', {}],
  ['POST', '1/upgrade/', {}],
  ['DELETE', '1/', undefined],
] as const

test.each(reading)('GET %s requires level 3', async (path) => {
  for (const level of [0, 3, 6, 9]) {
    const { ask } = await atLevel(level)
    const response = await ask('GET', `${plugins}${path}`, legacyKey)
    if (level === 0) expect(response).toEqual(tooLow)
    else expect(response.status, String(level)).toBe(200)
  }
})

test.each(writing)('%s %s requires level 6', async (method, path, body) => {
  for (const level of [0, 3, 6, 9]) {
    const { ask, simulator } = await atLevel(level)
    const sent = body ? { ...legacyKey, body } : legacyKey
    const before = simulator.world.toJSON()
    const response = await ask(method, `${plugins}${path}`, sent)
    if (level < 6) {
      expect(response).toEqual(tooLow)
      expect(simulator.world.toJSON()).toEqual(before)
    } else expect(response.status, String(level)).toBeLessThan(300)
  }
})

const editing = {
  check_for_updates: 'Plugin installation is not available for the current organization!',
  source: 'Plugin source editing is not available for the current organization!',
}

test.each(Object.entries(editing))(
  '%s requires level 6, although it is a GET',
  async (path, detail) => {
    const request = ['GET', `${plugins}1/${path}/`, legacyKey] as const
    const none = await atLevel(0)
    const configure = await atLevel(3)
    const install = await atLevel(6)

    expect(await none.ask(...request)).toEqual(tooLow)
    expect(await configure.ask(...request)).toEqual(forbidden(detail))
    expect(await configure.ask('GET', `${plugins}9/${path}/`, legacyKey)).toEqual(notFound())
    expect((await install.ask(...request)).status).toBe(200)
  },
)

test('HEAD and OPTIONS require the level of GET', async () => {
  const none = await atLevel(0)
  const configure = await atLevel(3)

  for (const method of ['HEAD', 'OPTIONS']) {
    expect((await none.send(method, plugins, legacyKey)).status, method).toBe(403)
    expect((await configure.send(method, plugins, legacyKey)).status, method).toBe(200)
  }
})

test('every change of is_global requires level 9', async () => {
  const { ask, simulator } = await atLevel(6)
  const shown = { ...bare, plugin_type: 'source', url }

  for (const method of ['PATCH', 'PUT']) {
    for (const is_global of [true, false, 'off', 0]) {
      const body = { is_global, name: 'Changed' }
      expect(await ask(method, `${plugins}1/`, { body }), method).toEqual(notRoot)
    }
  }
  expect(await ask('GET', `${plugins}1/`)).toEqual({ status: 200, body: shown })
  simulator.world.organizations.update(acme, { plugins_access_level: 9 })
  expect(await ask('PATCH', `${plugins}1/`, { body: { is_global: true } })).toEqual({
    status: 200,
    body: { ...shown, is_global: true },
  })
})

test('the access level is checked before the method, the row and the fields', async () => {
  const { ask } = await atLevel(3)

  expect(await ask('DELETE', plugins, legacyKey)).toEqual(tooLow)
  expect(await ask('DELETE', `${plugins}9/`, legacyKey)).toEqual(tooLow)
  expect(await ask('POST', plugins, { ...legacyKey, body: { name: [] } })).toEqual(tooLow)
})

test('the key is checked before the access level', async () => {
  const { ask, simulator } = await atLevel(0)
  const key = simulator.keys.issue({ scopes: ['plugin:read'] })

  const missing = forbidden("API key missing required scope 'plugin:write'")
  expect(await ask('POST', plugins, { key, body: {} })).toEqual(missing)
  expect(await ask('GET', plugins, { key })).toEqual(tooLow)
})

test('the access level is that of the organization in the path', async () => {
  const { ask } = await start({ world: neighbours({ acme: 0, initech: 9 }), profile: 'live' })
  const path = plugins.replace(acme, '018f2b6e-0000-7000-8000-00000000000b')
  const body = { plugin_type: 'source' }

  expect(await ask('POST', path, { body })).toMatchObject({ status: 201 })
  expect(await ask('POST', plugins, { body })).toEqual(tooLow)
})

test('the documented profile ignores access levels', async () => {
  const { ask } = await atLevel(0, 'documented')

  expect(await ask('GET', plugins)).toMatchObject({ status: 200, body: { count: 1 } })
  for (const path of [...reading.slice(0, 3), 'unused/', '1/check_for_updates/', '1/source/']) {
    expect((await ask('GET', `${plugins}${path}`)).status, path).toBe(200)
  }
  for (const [method, path, body] of writing.filter(([method]) => method !== 'PUT')) {
    const response = await ask(method, `${plugins}${path}`, body ? { body } : {})
    expect(response.status, `${method} ${path}`).toBeLessThan(300)
  }
})
