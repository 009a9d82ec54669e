import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { generate } from '../../../src/factories.ts'

const counts = {
  ...{ organizations: 2, projects: 5, users: 20, dashboard_items: 30, plugins: 40 },
  ...{ plugin_configs: 60, annotations: 400, activity: 200 },
}

// Tests of users depend on the rows that a seed gives. A change of them belongs in the changelog.
test('a seed gives the same rows in every version', async () => {
  const world = generate({ seed: 7, now: '2024-06-15T12:00:00Z', generate: counts })

  const digests = Object.keys(counts).map((list) => {
    const rows = JSON.stringify(world[list as keyof typeof counts])
    return [list, createHash('sha256').update(rows).digest('hex').slice(0, 12)]
  })
  const text = digests.map((line) => line.join(' ')).join('\n')
  await expect(`${text}\n`).toMatchFileSnapshot('./same-rows.outline.txt')
})
