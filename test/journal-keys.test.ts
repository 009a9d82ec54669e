import { expect, test } from 'vitest'
import defaultWorld from '../fixtures/default.json' with { type: 'json' }
import type { Simulator } from '../src/simulator.ts'
import { start } from './support/start.ts'

const list = '/api/projects/1/annotations/'

/** Two keys of the world, one of a form of its own, and a key that the world does not know. */
const canary = 'phx_canaryCanaryCanaryCanary1234'
const robin = 'robin "redbreast" & friends'
const stranger = 'stranger-with-a-key-of-its-own'

const keys = [
  ...defaultWorld.keys,
  { value: canary, label: 'canary', user: 1, scopes: ['*'] },
  { value: robin, label: 'robin', user: 1, scopes: ['*'] },
]

/** Every entry that is kept, as server-sent events. */
async function eventsOf({ journal }: Simulator): Promise<string> {
  const count = journal.find().length
  let text = ''
  for await (const piece of journal.events(0)) {
    text += new TextDecoder().decode(piece)
    if (text.split('event: entry').length > count) return text
  }
  return text
}

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
  for (const key of [canary, robin, stranger]) {
    const inQuery = `personal_api_key=${encodeURIComponent(key)}`
    await ask('GET', list, { key })
    await ask('GET', `${list}?${inQuery}`, { key: null })
    await ask('GET', `/api/nowhere/${canary}?${inQuery}`, { key: null })
    await ask('POST', list, { key: null, body: { content: 'x', personal_api_key: key } })
    await ask('POST', list, { key: null, raw: `content=x&${inQuery}`, headers: form })
    await ask('POST', list, { raw: `{"personal_api_key": "${key}"` })
  }
  for (const key of [canary, robin]) {
    await ask('POST', list, { body: { content: `Do not paste ${key} here`, [key]: 1 } })
    await ask('GET', `/api/nowhere/${encodeURIComponent(key)}?search=${encodeURIComponent(key)}`)
    await ask('GET', list, { headers: { cookie: stranger, 'x-note': key } })
  }
  simulator.keys.revoke(canary)
  simulator.keys.issue({ value: 'another key', label: robin })

  const { journal } = simulator
  const shown = [
    told,
    journal.find(),
    journal.find({ key: canary }),
    journal.toHar(),
    journal.verify({ operation: 'createAnnotation', key: canary, body: { content: canary } }),
    journal.verify({ key: stranger, count: 0 }),
    simulator.why('key', canary),
    simulator.why('key', robin),
    simulator.why('key', 'another key'),
    simulator.why('annotation', 9),
    await eventsOf(simulator),
  ]

  expect(journal.find({ key: canary }).length).toBeGreaterThan(3)
  for (const key of [canary, robin, stranger, 'another key']) {
    for (const form of [key, JSON.stringify(key).slice(1, -1), encodeURIComponent(key)]) {
      expect(JSON.stringify(shown)).not.toContain(JSON.stringify(form).slice(1, -1))
    }
  }
})

test('a key that was taken back keeps its label', async () => {
  const { ask, simulator } = await start({ world: { ...defaultWorld, keys } as never })
  await ask('GET', list, { key: canary })
  simulator.keys.revoke(canary)

  expect(simulator.journal.find({ key: 'canary' })).toMatchObject([
    { key: { label: 'canary', value: 'phx_…1234' } },
  ])
})

test('a key that went with its world is hidden in what was written about it', async () => {
  const { ask, simulator } = await start({ world: { ...defaultWorld, keys } as never })
  await ask('POST', list, { body: { content: `Do not paste ${robin} here` } })
  await ask('GET', list, { key: canary })
  simulator.replaceWorld('empty')

  const entries = simulator.journal.find()

  expect(entries.map(({ key }) => key?.label)).toEqual(['all', 'canary'])
  expect(entries[0]?.request.body).toEqual({ content: 'Do not paste robi…ends here' })
})

test('a key whose label is its value shows neither', async () => {
  const { ask, simulator } = await start()
  const value = simulator.keys.issue({ label: canary, value: canary })
  await ask('GET', list, { key: value })

  expect(simulator.journal.find()[0]?.key).toEqual({ label: null, value: 'phx_…1234' })
})
