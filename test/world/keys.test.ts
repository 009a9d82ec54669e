import { expect, test } from 'vitest'
import { annotationsPath } from '../support/api/paths.ts'
import { start } from '../support/lanes/start.ts'

const invalid = {
  status: 401,
  body: {
    type: 'authentication_error',
    code: 'authentication_failed',
    detail: 'Personal API key found in request Authorization header is invalid.',
    attr: null,
  },
}

test('an issued key works at once, and never expires', async () => {
  const { ask, simulator } = await start()

  const key = simulator.keys.issue({ scopes: ['annotation:write'], user: 2 })
  const created = await ask('POST', annotationsPath, { key, body: {} })
  simulator.clock.advance({ days: 36_500 })
  const later = await ask('POST', annotationsPath, { key, body: {} })

  expect(created).toMatchObject({
    status: 201,
    body: { created_by: { id: 2, first_name: 'Noor' } },
  })
  expect(later.status).toBe(201)
})

test('a revoked key gets a 401', async () => {
  const { ask, simulator } = await start()
  const key = simulator.keys.issue()

  const before = await ask('GET', annotationsPath, { key })
  const revoked = [simulator.keys.revoke(key), simulator.keys.revoke(key)]
  const after = await ask('GET', annotationsPath, { key })

  expect(before.status).toBe(200)
  expect(revoked).toEqual([true, false])
  expect(after).toEqual(invalid)
  expect((await ask('GET', annotationsPath)).status).toBe(200)
})

test('the keys of an inactive user get a 401 until the user is active again', async () => {
  const { ask, simulator } = await start()
  const key = simulator.keys.issue({ user: 2 })

  simulator.world.users.update(2, { is_active: false })
  const inactive = await ask('GET', annotationsPath, { key })
  const otherUser = await ask('GET', annotationsPath)
  simulator.world.users.update(2, { is_active: true })
  const again = await ask('GET', annotationsPath, { key })

  expect(inactive).toEqual(invalid)
  expect([otherUser.status, again.status]).toEqual([200, 200])
})

test('no API operation issues keys, not even for a key with full access', async () => {
  const { ask, simulator } = await start({ profile: 'live' })
  const before = simulator.keys.list()

  for (const path of ['/api/personal_api_keys/', '/api/users/@me/personal_api_keys/']) {
    const response = await ask('POST', path, { body: { label: 'Mine', scopes: ['*'] } })
    expect(response).toMatchObject({ status: 404, body: { detail: 'Endpoint not found.' } })
  }

  expect(simulator.keys.list()).toEqual(before)
})
