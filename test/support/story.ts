import type { Scenario } from '../../src/index.ts'

/** Where annotations are. */
export const list = '/api/projects/1/annotations/'
/** When all of it happens. */
export const clock = '2024-06-15T12:00:00Z'

/** A scenario of some steps in the default world. */
export const story = (steps: Scenario['steps'], more: Partial<Scenario> = {}): Scenario => ({
  title: 'An annotation',
  world: 'default',
  clock,
  steps,
  ...more,
})

/** Reads one annotation. */
export const read = { as: 'all', method: 'GET', path: `${list}1/` } as const
/** Lists them. */
export const readAll = { as: 'all', method: 'GET', path: list } as const
/** Creates one, whose answer is another one than the simulation's. */
export const create = {
  title: 'create it',
  as: 'all',
  method: 'POST',
  path: list,
  body: { content: 'Launch' },
  expect: { status: 201, body: { id: { $match: 'id' }, content: 'Launched!' } },
  save: { id: '/id' },
} as const
