import { expect, test } from 'vitest'
import { createSimulator, type Simulator } from '../../../src/simulator/simulator.ts'
import type { Row, WorldJson } from '../../../src/world/world-json.ts'
import { annotationsPath } from '../../support/api/paths.ts'
import { emptyWithOldKey, plugins } from '../../support/api/plugins.ts'
import { initOf } from '../../support/transports/client.ts'
import { start } from '../../support/transports/start.ts'

const long = '🦔'.repeat(900)
const url = 'https://github.com/acme/hello'

/** A world whose catalogue has the plugin `hello`, with texts that are too long. */
const longTexts = {
  ...emptyWithOldKey,
  repository: [
    {
      ...{ name: 'Hello', url, description: '', verified: true, maintainer: 'official' },
      versions: [
        { tag: long, plugin_json: { name: long, description: long, icon: long }, source: {} },
      ],
    },
  ],
} as WorldJson

const anyText = {
  'annotations.creation_type.values': 'any',
  'annotations.scope.values': 'any',
  'plugins.plugin_type.values': 'any',
} as const

// Types name the documented words.
const bot = { creation_type: 'BOT', scope: 'team' } as object as Partial<Row<'annotations'>>
const robot = { plugin_type: 'robot' } as object as Partial<Row<'plugins'>>

/** A world with rows that only these settings let clients write. */
function worldOfBots(): WorldJson {
  const { world } = createSimulator({ settings: anyText })
  world.add({ annotations: [bot], plugins: [robot] })
  return world.toJSON()
}

const writes: readonly [way: string, write: (simulator: Simulator) => unknown][] = [
  ['add an annotation', ({ world }) => world.annotations.add(bot)],
  ['add a plugin', ({ world }) => world.plugins.add(robot)],
  ['update a row', ({ world }) => world.annotations.update(1, bot)],
  ['add rows', ({ world }) => world.add({ annotations: [bot], plugins: [robot] })],
  ['edit rows', ({ world }) => world.edit({ update: { annotations: [{ id: 1, ...bot }] } })],
  ['replace the world', (simulator) => simulator.replaceWorld(worldOfBots())],
  ['add a fixture', ({ sandboxes }) => sandboxes.addFixture('bots', worldOfBots())],
]

test.each(writes)('where a setting lets clients write any text, so do tests: %s', (_, write) => {
  expect(() => write(createSimulator({ settings: anyText }))).not.toThrow()
  expect(() => write(createSimulator())).toThrow(/expected one of .*, got "(?:BOT|team|robot)"/)
})

test('rows with any text are written by faults and scenarios', async () => {
  const simulator = createSimulator({ world: emptyWithOldKey, settings: anyText })
  const rows = { annotations: [bot] }
  simulator.faults.add({ when: { times: 1 }, effect: { edit: [{ rows }] } })
  await simulator.fetch(annotationsPath, initOf('GET', {}))

  const { passed } = await simulator.run(
    { title: 'Bots write', steps: [{ rows }] },
    { in_place: true },
  )

  expect(simulator.world.annotations.list().map((row) => row.scope)).toEqual(['team', 'team'])
  expect(passed).toBe(true)
})

test('in the live profile, install and upgrade cut texts to their maximum lengths', async () => {
  const { ask, simulator } = await start({ world: longTexts, profile: 'live' })
  const cut = { name: '🦔'.repeat(200), description: long, icon: '🦔'.repeat(800) }
  const tags = { tag: '🦔'.repeat(200), latest_tag: '🦔'.repeat(200) }
  const named = `https://github.com/acme/${'n'.repeat(300)}/tree/${'t'.repeat(300)}`
  const tag = 't'.repeat(200)

  const created = await ask('POST', plugins, { body: { url } })
  const unknown = await ask('POST', plugins, { body: { url: named } })
  simulator.world.plugins.update(1, { name: 'Old', tag: 'old', latest_tag: 'old' })
  const checked = await ask('GET', `${plugins}1/check_for_updates/`, { key: 'phx_old' })
  const upgraded = await ask('POST', `${plugins}1/upgrade/`, { key: 'phx_old' })

  expect(created).toMatchObject({ status: 201, body: { ...cut, ...tags } })
  expect(unknown).toMatchObject({
    status: 201,
    body: { name: 'n'.repeat(200), tag, latest_tag: tag },
  })
  expect(checked).toMatchObject({ status: 200, body: { plugin: { latest_tag: tags.latest_tag } } })
  expect(upgraded).toMatchObject({ status: 200, body: { ...cut, ...tags } })
  const world = simulator.world.toJSON()
  expect(createSimulator({ world }).world.toJSON()).toEqual(world)
})

test('in the live profile, update_source cuts the name in plugin.json', async () => {
  const { ask, simulator } = await start({ world: emptyWithOldKey, profile: 'live' })
  simulator.world.plugins.add({ id: 1, name: 'Hello', plugin_type: 'source' })
  const body = { 'plugin.json': JSON.stringify({ name: long }) }

  const edited = await ask('PATCH', `${plugins}1/update_source/`, { key: 'phx_old', body })

  expect(edited).toEqual({ status: 200, body })
  expect(simulator.world.plugins.get(1)?.name).toBe('🦔'.repeat(200))
  const world = simulator.world.toJSON()
  expect(createSimulator({ world }).world.toJSON()).toEqual(world)
})
