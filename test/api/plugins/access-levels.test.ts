import { expect, test } from 'vitest'
import { forbidden } from '../../support/api/errors.ts'
import { legacyKey, neighbours, plugins } from '../../support/api/plugins.ts'
import { start } from '../../support/transports/start.ts'

const tooLow = forbidden("Your organization's plugin access level is insufficient.")
const url = 'https://github.com/acme/hello'

async function atLevel(acme: number) {
  const { ask, simulator } = await start({ world: neighbours({ acme }), profile: 'live' })
  simulator.world.plugins.add({ id: 1, plugin_type: 'source', url })
  return { ask, simulator }
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
    if (level === 0) expect.soft(response).toEqual(tooLow)
    else expect.soft(response.status, String(level)).toBe(200)
  }
})

test.each(writing)('%s %s requires level 6', async (method, path, body) => {
  for (const level of [0, 3, 6, 9]) {
    const { ask, simulator } = await atLevel(level)
    const sent = body ? { ...legacyKey, body } : legacyKey
    const before = simulator.world.toJSON()
    const response = await ask(method, `${plugins}${path}`, sent)
    if (level < 6) {
      expect.soft(response).toEqual(tooLow)
      expect.soft(simulator.world.toJSON()).toEqual(before)
    } else expect.soft(response.status, String(level)).toBeLessThan(300)
  }
})

test.each([false, 'off', 0])('at level 6 is_global cannot be %j', async (is_global) => {
  const { ask } = await atLevel(6)

  for (const method of ['PATCH', 'PUT']) {
    const response = await ask(method, `${plugins}1/`, { body: { is_global } })
    expect
      .soft(response, method)
      .toEqual(forbidden("This organization can't manage global plugins!"))
  }
})
