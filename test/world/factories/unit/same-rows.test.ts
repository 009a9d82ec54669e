import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { generate } from '../../../../src/factories.ts'

const counts = {
  organizations: 2,
  projects: 5,
  users: 20,
  dashboard_items: 30,
  plugins: 40,
  plugin_configs: 60,
  annotations: 400,
  activity: 200,
}

// Tests of users depend on the rows that a seed gives. A change of them belongs in the changelog.
test('a seed gives the same rows in every version', () => {
  const world = generate({ seed: 7, now: '2024-06-15T12:00:00Z', generate: counts })

  const digests = Object.keys(counts).map((list) => {
    const rows = JSON.stringify(world[list as keyof typeof counts])
    return [list, createHash('sha256').update(rows).digest('hex').slice(0, 12)]
  })
  expect(Object.fromEntries(digests)).toEqual({
    organizations: '96d9db86e72b',
    projects: '1f4985b3b54c',
    users: '6c143eb365a8',
    dashboard_items: '0c5d6746cef0',
    plugins: 'bbb57c3d311a',
    plugin_configs: '7d87d05d1fd0',
    annotations: '72ad06355f20',
    activity: '4f321c2b3ca2',
  })
})
