import { expect, test } from 'vitest'
import defaultWorld from '../../../fixtures/default.json' with { type: 'json' }
import { createSimulator, type Simulator } from '../../../src/simulator/simulator.ts'
import { authorization } from '../../support/api/headers.ts'
import { annotationsPath, noon } from '../../support/api/paths.ts'
import {
  findKeys,
  percentEncode,
  type RequestWithKey,
  requestsWithKey,
  requestsWithUnknownKeys,
} from '../../support/scenarios/secrets.table.ts'
import { start } from '../../support/transports/start.ts'

/** Two keys of the world that a URL has to encode, and an unknown key. */
const canary = 'phx_canary/Canary+Canary=Canary%1234'
const robin = 'robin "redbreast" & friends'
const stranger = 'stranger-with-a-key-of-its-own'

const keys = [
  ...defaultWorld.keys,
  { value: canary, label: 'canary', user: 1, scopes: ['*'] },
  { value: robin, label: 'robin', user: 1, scopes: ['*'] },
]

/** Sends a request, by default with the key with full access if it has no other. */
function sendTo(
  simulator: Simulator,
  { method, target, headers, body }: RequestWithKey,
  usual: object = authorization(),
) {
  const bytes = body && Uint8Array.from(body, (character) => character.charCodeAt(0))
  const init = { method, headers: { ...usual, ...headers } }
  return simulator.fetch(target, { ...init, ...(bytes && { body: bytes }) })
}

/** All entries as server-sent events. */
async function eventsOf({ journal }: Simulator): Promise<string> {
  const count = journal.find().length
  let text = ''
  for await (const piece of journal.events(0)) {
    text += new TextDecoder().decode(piece)
    if (text.split('event: entry').length > count) return text
  }
  return text
}

test('an entry shows the label of its key unless it is its value, and the first and last characters of a long one', async () => {
  const { ask, simulator } = await start({ world: { ...defaultWorld, keys } as never })
  await ask('GET', annotationsPath, { key: canary })
  await ask('GET', annotationsPath, { key: 'phx_all' })
  await ask('GET', annotationsPath, { key: stranger })
  const itself = simulator.keys.issue({ value: 'phx_its_own_label', label: 'phx_its_own_label' })
  await ask('GET', annotationsPath, { key: itself })
  await ask('GET', annotationsPath, { key: null })

  expect(simulator.journal.find().map(({ key }) => key)).toEqual([
    { label: 'canary', value: 'phx_…1234' },
    { label: 'all', value: 'phx_…' },
    { label: null, value: 'stra…-own' },
    { label: null, value: 'phx_…abel' },
    null,
  ])
})

test('nothing that the journal shows contains a key of the world', async () => {
  const { ask, simulator } = await start({
    world: { ...defaultWorld, keys } as never,
    settings: { 'keys.places': 'header_body_query', 'bodies.form': 'accepted' },
  })
  const followed: unknown[] = []
  simulator.journal.follow((entry) => followed.push(entry))
  for (const key of [canary, robin]) {
    const encoded = encodeURIComponent(key)
    for (const request of requestsWithKey(key)) await sendTo(simulator, request, {})
    await ask('GET', `${annotationsPath}?${encoded}=1&limit=${encoded}`)
    await ask('GET', `/api/nowhere/${encoded}?search=${encoded}`)
    await ask('GET', `/api/nowhere/${percentEncode(key)}/?search=${percentEncode(key)}`)
    await ask('POST', annotationsPath, { body: { content: `Do not paste ${key} here`, [key]: 1 } })
    const effect = { status: 503, headers: { 'x-note': encoded }, body: { text: key } }
    simulator.faults.add({ when: { times: 1 }, effect })
    await ask('GET', annotationsPath)
    simulator.faults.add({ when: { times: 1 }, effect: { error: 'throttled', detail: key } })
    await ask('GET', annotationsPath)
  }
  simulator.keys.revoke(canary)

  const { journal } = simulator
  const shown = [
    followed,
    journal.find(),
    journal.toHar(),
    journal.verify({ operation: 'createAnnotation', key: canary, body: { content: canary } }),
    await eventsOf(simulator),
  ]

  expect(journal.find({ key: canary })).toHaveLength(8)
  for (const key of [canary, robin]) {
    const escaped = JSON.stringify(key).slice(1, -1)
    for (const text of [key, escaped, encodeURIComponent(key), percentEncode(key)]) {
      expect.soft(JSON.stringify(shown)).not.toContain(JSON.stringify(text).slice(1, -1))
    }
  }
})

test('a revoked key keeps its label, until its value is issued with another one', async () => {
  const { ask, simulator } = await start({ world: { ...defaultWorld, keys } as never })
  await ask('GET', annotationsPath, { key: canary })
  simulator.keys.revoke(canary)

  expect(simulator.journal.find({ key: 'canary' })).toMatchObject([
    { key: { label: 'canary', value: 'phx_…1234' } },
  ])
  simulator.keys.issue({ value: canary, label: 'robin' })
  expect(simulator.journal.find()).toMatchObject([{ key: { label: 'robin' } }])
})

test('a key of a replaced world, and one that is issued after an entry was read, is masked in bodies', async () => {
  const { ask, simulator } = await start({ world: { ...defaultWorld, keys } as never })
  await ask('POST', annotationsPath, { body: { content: `Do not paste ${robin} here` } })
  await ask('POST', annotationsPath, { key: canary, body: { content: 'nor later-key' } })
  simulator.replaceWorld('empty')
  simulator.journal.find()
  simulator.keys.issue({ value: 'later-key', label: 'later' })

  const entries = simulator.journal.find()

  expect(entries.map(({ key }) => key?.label)).toEqual(['all', 'canary'])
  expect(entries[0]?.request.body).toEqual({ content: 'Do not paste robi…ends here' })
  expect(entries[1]?.request.body).toEqual({ content: 'nor …' })
})

test.each([
  ['Bearer phx_all', 'Bearer phx_…'],
  ['bearer  phx_all', 'bearer  phx_…'],
  ['Digest username="robin", response="6629"', 'Digest …'],
  ['stranger-with-a-key and more', '…'],
  ['short and', '…'],
])('the header Authorization: %s is shown as %s', async (authorization, shown) => {
  const { ask, simulator } = await start()
  await ask('GET', annotationsPath, { key: null, headers: { authorization } })

  expect(simulator.journal.find()[0]?.request.headers.authorization).toBe(shown)
})

const settings = { 'keys.places': 'header_body_query', 'bodies.form': 'accepted' } as const

test('an unknown key is masked everywhere, wherever a request has it', async () => {
  for (const request of requestsWithUnknownKeys) {
    const simulator = createSimulator({ clock: noon, settings })
    const followed: unknown[] = []
    simulator.journal.follow((entry) => followed.push(entry))
    await sendTo(simulator, request)

    const { journal } = simulator
    const shown = [
      followed,
      journal.find(),
      journal.toHar(),
      simulator.record(),
      journal.verify({ operation: 'listPlugins' }),
    ]
    const title = `${request.method} ${request.target}, ${request.place}`
    expect.soft(followed, title).toHaveLength(1)
    expect.soft(findKeys(JSON.stringify(shown)), title).toEqual([])
  }
})

/** UTF-16, as the browser of no client sends it. */
function utf16(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(new Uint16Array([...text].map((unit) => unit.charCodeAt(0))).buffer)
}

test.each([
  ['with NaN', 'application/json', `{"content":NaN,"personal_api_key":"${stranger}"}`],
  ['with -Infinity', 'application/json', `{"personal_api_key":"${stranger}","a":[-Infinity]}`],
  [
    'in UTF-16',
    'application/json; charset=utf-16le',
    utf16(`{"content":"x","personal_api_key":"${stranger}"}`),
  ],
])('the key in a body %s is found, and masked', async (_, type, raw) => {
  const { ask, simulator } = await start({
    settings: { 'keys.places': 'header_body_query', 'bodies.json': 'lenient' },
  })
  await ask('POST', annotationsPath, { key: null, raw, headers: { 'content-type': type } })

  const [entry] = simulator.journal.find()

  expect(entry?.key).toEqual({ label: null, value: 'stra…-own' })
  expect(JSON.stringify(entry?.request.body)).toContain('stra…-own')
  const files = [simulator.journal.toHar(), simulator.record()]
  expect(JSON.stringify([entry, files]).replaceAll(/\\+u0000/g, '')).not.toContain(stranger)
})

test('no sentence is cut within a key', async () => {
  const { ask, simulator } = await start({ world: { ...defaultWorld, keys } as never })
  for (let length = 20; length < 90; length += 5) {
    const text = 'x'.repeat(length) + canary
    await ask('GET', `/api/${encodeURIComponent(text)}/`)
    await ask('GET', `${annotationsPath}?${encodeURIComponent(text)}=1`)
    await ask('POST', annotationsPath, { body: { [text]: 1, scope: text } })
  }

  const sentences = simulator.journal.find().flatMap(({ reason, ignored }) => [reason, ...ignored])

  expect(sentences.length).toBeGreaterThan(40)
  expect(sentences.join(' ')).not.toMatch(/canary/i)
})
