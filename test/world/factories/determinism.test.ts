import { createHash } from 'node:crypto'
import { faker } from '@faker-js/faker/locale/en'
import { afterEach, expect, test, vi } from 'vitest'
import { factories, generate, type PartialWorldJson } from '../../../src/factories.ts'
import { listsOf } from '../../support/world-lists.ts'

const world: PartialWorldJson = {
  annotations: [{ content: 'Launch' }],
  generate: {
    ...{ organizations: 2, projects: 4, users: 8, dashboard_items: 20, plugins: 20 },
    ...{ plugin_configs: 20, annotations: 60, activity: 50 },
  },
}

const hash = (seed: number): string =>
  createHash('sha256')
    .update(JSON.stringify(generate(world, { seed })))
    .digest('hex')

afterEach(() => vi.useRealTimers())

test('the time of day, Math.random and the shared faker do not matter', () => {
  const first = hash(7)
  vi.useFakeTimers({ now: new Date('1999-12-31T23:59:59Z'), toFake: ['Date'] })
  vi.spyOn(Math, 'random').mockReturnValue(0.5)
  faker.seed(99)
  faker.setDefaultRefDate('2000-01-01T00:00:00Z')
  expect(hash(7)).toBe(first)
})

test('the shared faker does not change', () => {
  faker.seed(1)
  const first = faker.number.int()
  faker.seed(1)
  hash(7)
  expect(faker.number.int()).toBe(first)
})

test('more rows leave the first ones as they are, ids included', () => {
  const { generate: counts } = world as { generate: Record<string, number> }
  const smaller = listsOf(generate(world))

  for (const list of Object.keys(counts)) {
    const before = smaller[list as keyof typeof smaller] as readonly object[]
    const grown = generate({ ...world, generate: { ...counts, [list]: (counts[list] ?? 0) + 5 } })
    const after = grown[list as keyof typeof grown] as unknown as readonly object[]
    expect.soft(after.length, list).toBe(before.length + 5)
    expect.soft(after.slice(0, before.length), list).toEqual(before)
  }
})

test('more rows of a list leave the rows that do not refer to them as they are', () => {
  const { generate: counts } = world as { generate: Record<string, number> }
  const grown = generate({ ...world, generate: { ...counts, plugins: 25 } })

  expect(grown.annotations).toEqual(generate(world).annotations)
})

test('a row of a factory does not depend on the rows that were created before it', () => {
  const [first, second] = [factories({ seed: 1 }), factories({ seed: 1 })]
  for (const create of [first, second]) create.project()
  second.plugin()
  second.user()

  const item = first.dashboard_item()
  expect(second.dashboard_item()).toEqual(item)
  expect(factories({ seed: 2 }).dashboard_item().name).not.toBe(item.name)
})

test('dates are around the time of the world', () => {
  const at = (now: string) =>
    generate({ now, generate: { annotations: 50 } }).annotations?.map(
      ({ created_at }) => created_at,
    ) ?? []
  expect(at('2020-03-01T00:00:00Z').every((time) => time && time < '2020-03-01')).toBe(true)
  expect(at('2020-03-01T00:00:00Z').some((time) => time && time > '2020-02')).toBe(true)
  const unusual = ['0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z', '2024-06-15', '20240615T1200+02']
  for (const now of unusual) {
    expect(at(now)).toHaveLength(50)
  }
})

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
