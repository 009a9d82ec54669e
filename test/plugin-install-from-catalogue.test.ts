import { expect, test } from 'vitest'
import type { WorldJson } from '../src/world/world-json.ts'
import { bare, neighbours, plugins } from './support/plugins.ts'
import { start } from './support/start.ts'

const entry = { description: 'In the catalogue', verified: true, maintainer: 'official' }
const catalogue: WorldJson = {
  ...neighbours(),
  repository: [
    {
      ...entry,
      name: 'Bucket export',
      url: 'https://github.com/acme/bucket-export',
      versions: [
        { tag: '1.0.0', plugin_json: { name: 'Bucket export' }, source: {} },
        {
          tag: '2.0.0',
          plugin_json: {
            name: 'Bucket export 2',
            description: 'Writes faster.',
            icon: 'https://example.com/bucket.png',
            config: [{ key: 'bucket', name: 'Bucket', type: 'string' }],
            publicJobs: { again: { payload: {} } },
          },
          source: { 'index.ts': 'export {}' },
        },
      ],
    },
    { ...entry, name: 'Nothing yet', url: 'https://github.com/acme/nothing-yet' },
  ],
}

test('a plugin of the catalogue brings what its newest version says [§5.2:install] [§5.6:offline]', async () => {
  const { ask, simulator } = await start({ world: catalogue, profile: 'live' })
  const url = 'https://github.com/acme/bucket-export?private_token=s3cr3t'
  const mine = { name: 'Mine', description: 'Mine', icon: 'mine', tag: 'mine', config_schema: {} }
  const kept = { metrics: { mine: 'sum' }, capabilities: { methods: ['onEvent'] } }

  const created = await ask('POST', plugins, {
    body: { ...mine, ...kept, url, public_jobs: { mine: { payload: {} } } },
  })

  expect(created).toEqual({
    status: 201,
    body: {
      ...bare,
      ...kept,
      plugin_type: 'custom',
      name: 'Bucket export 2',
      description: 'Writes faster.',
      url: 'https://github.com/acme/bucket-export',
      icon: 'https://example.com/bucket.png',
      config_schema: [{ key: 'bucket', name: 'Bucket', type: 'string' }],
      tag: '2.0.0',
      latest_tag: '2.0.0',
      public_jobs: { again: { payload: {} } },
    },
  })
  expect(await ask('GET', `${plugins}1/`)).toEqual({ status: 200, body: created.body })
  expect(simulator.world.plugins.get(1)?.source).toEqual({ 'index.ts': 'export {}' })
})

test('an entry without versions brings what any url does [§5.6:offline] [§5.6:repository]', async () => {
  const { ask } = await start({ world: catalogue, profile: 'live' })
  const url = 'https://github.com/acme/nothing-yet'

  const created = await ask('POST', plugins, { body: { url, plugin_type: 'repository' } })

  expect(created).toMatchObject({
    status: 201,
    body: { plugin_type: 'repository', name: 'nothing-yet', url },
  })
})
