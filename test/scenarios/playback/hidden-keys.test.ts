import { expect, test } from 'vitest'
import defaultWorld from '../../../fixtures/default.json' with { type: 'json' }
import { playbackHandlers, type WorldJson } from '../../../src/index.ts'
import {
  annotationsPath,
  createStory,
  listStep,
  postStep,
  readStep,
} from '../../support/scenarios/story.ts'
import type { Client } from '../../support/transports/client.ts'
import { startPlayback, startStory } from '../../support/transports/playback-server.ts'
import { start } from '../../support/transports/start.ts'

const email = 'canary@corp.test'

test('in a world without users, the label of a hidden key is unknown, and elsewhere that of no key', () => {
  expect(() => playbackHandlers(createStory([{ ...listStep, as: 'mine' }]))).toThrow(/"mine"/)

  const story = createStory([{ ...listStep, as: 'key-1' }], { world: 'empty' })
  expect(() => playbackHandlers({ ...story, world: {} })).toThrow(
    /steps\[0\]\.as: expected the label of a key \(none\)/,
  )
})

test('the refusal of a hidden key is for unknown keys, not for those of the world', async () => {
  const { ask } = await startStory([
    { ...listStep, as: 'key-1', expect: { status: 401 } },
    { ...listStep, expect: { status: 200, body: { count: 700 } } },
  ])

  const known = await ask('GET', annotationsPath)
  const unknown = await ask('GET', annotationsPath, { key: 'phx_other' })

  expect(known).toMatchObject({ status: 200, body: { count: 700 } })
  expect(unknown.status).toBe(401)
})

test('a key whose value was hidden has that of the client, and keeps its user and its scopes', async () => {
  const own = { value: 'replaced-key-1', label: 'mine', user: 2, scopes: ['annotation:read'] }
  const known = { ...own, value: 'phx_known', label: 'key-1' }
  const world = { ...defaultWorld, keys: [own, known] } as WorldJson
  const create = { ...postStep, body: {} }
  const { ask, playback } = await startPlayback(
    createStory(
      [
        { ...listStep, as: 'mine' },
        { ...listStep, as: 'key-1' },
        { ...create, as: 'mine' },
      ],
      { world },
    ),
  )
  const key = 'phx_client'

  const statuses = [
    (await ask('GET', annotationsPath, { key })).status,
    (await ask('GET', annotationsPath, { key: own.value })).status,
    (await ask('GET', annotationsPath, { key: known.value })).status,
    (await ask('POST', annotationsPath, { key, body: {} })).status,
  ]

  expect(statuses).toEqual([200, 500, 200, 403])
  expect(playback.simulator.keys.list()).toMatchObject([known, { ...own, value: key }])
})

test.each([
  ['the only hidden key', ['key-1'], 'phx_client', 200],
  ['one of two hidden keys', ['key-1', 'key-2'], 'phx_client', 401],
  ['a key of the world', ['key-1'], 'phx_all', 200],
])('a request that is not recorded with %s is simulated', async (_key, labels, key, status) => {
  const steps = labels.map((as) => ({ ...listStep, as }))
  const { ask } = await startStory(steps, { onlyRecorded: false })

  expect((await ask('GET', readStep.path, { key })).status).toBe(status)
})

test.each([true, false])(
  'the client that was recorded is served whatever was hidden, only recorded: %j',
  async (onlyRecorded) => {
    const useApi = async ({ ask, origin }: Client) => {
      const { body: created } = await ask('POST', annotationsPath, { body: { content: email } })
      const { body: two } = await ask('POST', annotationsPath, { body: { content: email } })
      const search = `${annotationsPath}?search=canary%40corp.test&limit=1`
      const { body: page } = await ask('GET', search)
      const { body: next } = await ask('GET', (page as { next: string }).next.replace(origin, ''))
      const { body: missing } = await ask('GET', `/api/${email}/`)
      return JSON.stringify([created, two, page, next, missing]).replaceAll(origin, '')
    }
    const recorded = await start()
    const seen = await useApi(recorded)
    const { scenario } = recorded.simulator.record()
    const served = await startPlayback(scenario, { onlyRecorded })

    expect(JSON.stringify(scenario)).not.toContain('canary')
    expect(await useApi(served)).toBe(seen)
    expect([served.playback.unexpected, served.playback.unused]).toEqual([[], []])
  },
)
