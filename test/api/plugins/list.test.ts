import { expect, test } from 'vitest'
import { idsOf } from '../../support/api/page.ts'
import { acme, initech } from '../../support/api/paths.ts'
import { bare, elsewhere, neighbours, plugins } from '../../support/api/plugins.ts'
import { start } from '../../support/transports/start.ts'

test('plugins are listed by id, also after changes', async () => {
  const { ask, simulator } = await start({ world: neighbours() })
  for (const id of [3, 1, 2]) simulator.world.plugins.add({ id, is_global: id === 2 })

  await ask('PATCH', `${plugins}1/`, { body: { name: 'Changed' } })
  await ask('POST', plugins, { body: {} })

  expect(await ask('GET', plugins)).toEqual({
    status: 200,
    body: {
      count: 4,
      next: null,
      previous: null,
      results: [
        { ...bare, name: 'Changed' },
        { ...bare, id: 2, is_global: true },
        { ...bare, id: 3 },
        { ...bare, id: 4 },
      ],
    },
  })
})

/** Plugins 1 to 9: odd ids belong to Acme, even ids to Initech, and every third is global. */
async function nine(profile: 'documented' | 'live') {
  const client = await start({ world: neighbours(), profile })
  for (let id = 1; id <= 9; id++) {
    const organization = id % 2 === 1 ? acme : initech
    client.simulator.world.plugins.add({ id, organization, is_global: id % 3 === 0 })
  }
  return client.ask
}

const seen = [
  { profile: 'documented', path: plugins, ids: [1, 3, 5, 7, 9] },
  { profile: 'documented', path: elsewhere, ids: [2, 4, 6, 8] },
  { profile: 'live', path: plugins, ids: [1, 3, 5, 6, 7, 9] },
  { profile: 'live', path: elsewhere, ids: [2, 3, 4, 6, 8, 9] },
] as const

test.each(seen)(
  'the list of $path in the $profile profile contains $ids',
  async ({ profile, path, ids }) => {
    const ask = await nine(profile)

    const page = await ask('GET', path)

    expect(page).toMatchObject({ status: 200, body: { count: ids.length } })
    expect(idsOf(page)).toEqual(ids)
  },
)

test.each(['documented', 'live'] as const)(
  'the list in the %s profile has no search, ordering or filters',
  async (profile) => {
    const { ask, simulator } = await start({ world: 'empty', profile })
    simulator.world.plugins.add({ id: 1, name: 'Hello' })

    const page = await ask('GET', `${plugins}?search=zzz&ordering=-id&name=x&is_global=true`)
    const plugin = await ask('GET', `${plugins}1/?search=zzz`)

    expect(page).toMatchObject({ status: 200, body: { count: 1 } })
    expect(plugin).toEqual({ status: 200, body: { ...bare, name: 'Hello' } })
  },
)
