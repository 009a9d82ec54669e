import { expect, test } from 'vitest'
import { annotationsPath } from '../../support/api/paths.ts'
import { serve } from '../../support/transports/start.ts'

const nothing = { status: 204, body: undefined }

test('a snapshot is saved, restored, listed and deleted', async () => {
  const { ask, control, simulator } = await serve()
  const snapshots = '/__admin/snapshots'

  const saved = await control('POST', snapshots, { body: { name: 'saved' } })
  await ask('POST', annotationsPath, { body: {} })
  const restored = await control('POST', `${snapshots}/saved/restore`)

  expect(saved).toEqual({ status: 200, body: simulator.snapshots.list()[0] })
  expect(restored).toEqual(nothing)
  expect(await ask('GET', `${annotationsPath}9/`)).toMatchObject({ status: 404 })
  expect(await control('DELETE', `${snapshots}/saved`)).toEqual(nothing)
  expect(await control('GET', snapshots)).toEqual({ status: 200, body: [] })
})

test('the clock is read, set and advanced', async () => {
  const { ask, control } = await serve()
  const read = () => control('GET', '/__admin/clock')
  const set = (body: unknown) => control('PUT', '/__admin/clock', { body })

  const noon = { mode: 'frozen', now: '2024-06-15T12:00:00Z' }
  expect(await read()).toEqual({ status: 200, body: noon })
  const frozen = { mode: 'frozen', now: '2030-01-01T00:00:00Z' }
  expect(await set({ now: '2030-01-01' })).toEqual({ status: 200, body: frozen })
  expect(await set({ advance: { hours: 1, seconds: 1.5 } })).toEqual({
    status: 200,
    body: { mode: 'frozen', now: '2030-01-01T01:00:01.500000Z' },
  })
  expect(await ask('POST', annotationsPath, { body: {} })).toMatchObject({
    body: { created_at: '2030-01-01T01:00:01.500000Z' },
  })
  expect(await set({ mode: 'ticking', now: '2020-01-01' })).toMatchObject({
    body: { mode: 'ticking', now: expect.stringMatching(/^2020-01-01T00:00:0/) },
  })
  expect(await set({ mode: 'frozen' })).toMatchObject({
    body: { mode: 'frozen', now: expect.stringMatching(/^2020-01-01T00:00:0/) },
  })
  expect(await set({ mode: 'real' })).toMatchObject({ body: { mode: 'real' } })
})

test('keys are listed, issued and revoked', async () => {
  const { ask, control, simulator } = await serve()
  const keys = '/__admin/keys'
  const body = { value: 'phx reader/1', scopes: ['annotation:read'], projects: [2] }

  const issued = await control('POST', keys, { body })
  const allowed = await ask('GET', '/api/projects/2/annotations/', { key: 'phx reader/1' })
  const listed = await control('GET', keys)
  const revoke = () => control('DELETE', `${keys}/phx%20reader%2F1`)

  const row = { ...body, label: 'phx reader/1', user: 1, organizations: [] }
  expect(issued).toEqual({ status: 200, body: row })
  expect(allowed.status).toBe(200)
  expect(listed).toEqual({ status: 200, body: simulator.keys.list() })
  expect(await revoke()).toEqual(nothing)
  expect((await ask('GET', annotationsPath, { key: 'phx reader/1' })).status).toBe(401)
  expect((await revoke()).status).toBe(404)
  const generated = await control('POST', keys)
  expect(generated.body).toMatchObject({
    value: expect.stringMatching(/^phx_.{40}$/),
    scopes: ['*'],
  })
})

test('settings are listed with their values, and set all or none', async () => {
  const { ask, control, simulator } = await serve()
  const settings = '/__admin/settings'
  const set = (body: unknown) => control('PATCH', settings, { body })

  const listed = await control('GET', settings)
  const some = await set({ 'annotations.delete.status': 404, 'limits.body': '4096' })
  const none = await set({ 'limits.body': 99, 'annotations.delete.status': 200 })

  expect(listed.body).toContainEqual({
    id: 'annotations.delete.status',
    documentation: expect.any(String),
    question: expect.any(String),
    value: '405',
    default: '405',
    live: expect.any(String),
    values: expect.arrayContaining([
      {
        value: '404',
        meaning: expect.any(String),
        evidence: expect.stringMatching(/^(documented|observed|assumed)$/),
        source: expect.any(String),
      },
    ]),
  })
  expect(some).toEqual({ status: 200, body: simulator.settings.values })
  expect(none).toMatchObject({ status: 400, body: { attr: 'annotations.delete.status' } })
  expect(simulator.settings.get('limits.body')).toBe(4096)
  expect((await ask('DELETE', `${annotationsPath}1/`)).status).toBe(404)
})
