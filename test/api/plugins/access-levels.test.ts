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

/** Each operation, and the level that it requires. */
const operations = [
  ...['', '1/', 'activity/', 'exports_unsubscribe_configs/', 'repository/', 'unused/'].map(
    (path) => ['GET', path, undefined, 3] as const,
  ),
  ['POST', '', { plugin_type: 'source' }, 6],
  ['PATCH', '1/', {}, 6],
  ['PUT', '1/', {}, 6],
  ['PATCH', '1/update_source/', {}, 6],
  ['POST', '1/upgrade/', {}, 6],
  ['DELETE', '1/', undefined, 6],
] as const

test.each(operations)('%s %s requires a level', async (method, path, body, required) => {
  for (const level of [0, 3, 6, 9]) {
    const { ask, simulator } = await atLevel(level)
    const before = simulator.world.toJSON()
    const response = await ask(method, `${plugins}${path}`, { ...legacyKey, ...(body && { body }) })
    if (level < required) {
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
