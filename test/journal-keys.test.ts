import { expect, test } from 'vitest'
import defaultWorld from '../fixtures/default.json' with { type: 'json' }
import { start } from './support/start.ts'

const list = '/api/projects/1/annotations/'

/** A key of the world, and one that it does not know. */
const canary = 'phx_canaryCanaryCanaryCanary1234'
const stranger = 'stranger-with-a-key-of-its-own'

const keys = [...defaultWorld.keys, { value: canary, label: 'canary', user: 1, scopes: ['*'] }]

test('a key is told by its label, and by the first and last characters of a long one', async () => {
  const { ask, simulator } = await start({ world: { ...defaultWorld, keys } as never })
  await ask('GET', list, { key: canary })
  await ask('GET', list, { key: 'phx_all' })
  await ask('GET', list, { key: stranger })
  await ask('GET', list, { key: null })

  expect(simulator.journal.find().map(({ key }) => key)).toEqual([
    { label: 'canary', value: 'phx_…1234' },
    { label: 'all', value: 'phx_…' },
    { label: null, value: 'stra…-own' },
    null,
  ])
})

test('no key is in anything that the journal shows', async () => {
  const { ask, simulator } = await start({
    world: { ...defaultWorld, keys } as never,
    policies: { 'keys.places': 'header_body_query', 'bodies.form': 'accepted' },
  })
  const told: unknown[] = []
  simulator.journal.follow((entry) => told.push(entry))
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  for (const key of [canary, stranger]) {
    await ask('GET', list, { key })
    await ask('GET', `${list}?personal_api_key=${key}`, { key: null })
    await ask('GET', `/api/nowhere/${canary}?personal_api_key=${key}`, { key: null })
    await ask('POST', list, { key: null, body: { content: 'x', personal_api_key: key } })
    await ask('POST', list, { key: null, raw: `content=x&personal_api_key=${key}`, headers: form })
    await ask('POST', list, { raw: `{"personal_api_key": "${key}"`, body: undefined })
  }
  await ask('POST', list, { body: { content: `Do not paste ${canary} here`, [canary]: 1 } })
  await ask('GET', `${list}?search=${canary}`, { headers: { cookie: stranger, 'x-note': canary } })
  simulator.keys.revoke(canary)

  const { journal } = simulator
  const shown = [
    told,
    journal.find(),
    journal.find({ key: canary }),
    journal.toHar(),
    journal.verify({ operation: 'createAnnotation', key: canary, body: { content: canary } }),
    journal.verify({ key: stranger, count: 0 }),
    simulator.why('key', canary),
    simulator.why('annotation', 9),
  ]

  expect(journal.find({ key: canary }).length).toBeGreaterThan(3)
  expect(JSON.stringify(shown)).not.toContain(canary)
  expect(JSON.stringify(shown)).not.toContain(stranger)
})

test('a key that was taken back keeps its label', async () => {
  const { ask, simulator } = await start({ world: { ...defaultWorld, keys } as never })
  await ask('GET', list, { key: canary })
  simulator.keys.revoke(canary)

  expect(simulator.journal.find({ key: 'canary' })).toMatchObject([
    { key: { label: 'canary', value: 'phx_…1234' } },
  ])
})

test('a key whose label is its value shows neither', async () => {
  const { ask, simulator } = await start()
  const value = simulator.keys.issue({ label: canary, value: canary })
  await ask('GET', list, { key: value })

  expect(simulator.journal.find()[0]?.key).toEqual({ label: null, value: 'phx_…1234' })
})
