import { expect, onTestFinished, test, vi } from 'vitest'
import type { ActorRequest, ActorStep } from '../../../src/sandbox/actors/actor-request.ts'
import { LimitError } from '../../../src/utils/usage-error.ts'
import { annotationsPath } from '../../support/api/paths.ts'
import { start } from '../../support/lanes/start.ts'

const write: ActorStep = { create: 'annotations', row: {} }

test('a failed step is reported to onError and listed, and the client sees nothing of it', async () => {
  const reported: unknown[] = []
  const { ask, simulator } = await start({ onError: (error) => void reported.push(error) })
  simulator.actors.add({
    after: { operation: 'retrieveAnnotation' },
    steps: [
      { update: 'annotations', id: 99, changes: { content: 'Gone' } },
      { update: 'annotations', id: 1, changes: { dashboard_item: 999 } },
      { delete: 'plugins', id: 99 },
      { delete: 'annotations', id: { at: 50 } },
      { update: 'annotations', id: 1, changes: { content: 'Still written' } },
    ],
  })
  const before = simulator.world.annotations.get(1)

  const response = await ask('GET', `${annotationsPath}1/`)

  expect(response).toMatchObject({ status: 200, body: { content: before?.content } })
  expect(simulator.world.annotations.get(1)).toEqual({
    ...before,
    content: 'Still written',
    updated_at: simulator.clock.iso(),
  })
  const [actor] = simulator.actors.list()
  expect(actor?.errors).toEqual([
    {
      run: 1,
      step: 'steps[0]',
      message: 'Failed to update 99 of annotations: there is no such row.',
    },
    {
      run: 1,
      step: 'steps[1]',
      message: [
        'Failed to write a row of annotations. Nothing was changed.',
        '  dashboard_item: expected an id in dashboard_items, got 999',
      ].join('\n'),
    },
    {
      run: 1,
      step: 'steps[2]',
      message: 'Failed to delete a plugin: expected the id of a plugin, got 99.',
    },
    {
      run: 1,
      step: 'steps[3]',
      message: 'Failed to find a row: expected a position in a list of 6 rows, got 50.',
    },
  ])
  expect(reported.map((error) => (error as Error).message)).toEqual(
    actor?.errors.map(({ message }) => message),
  )
})

test('a position outside a list of one row is an error of the actor', async () => {
  const { ask, simulator } = await start({ world: 'empty', onError: () => {} })
  simulator.world.plugins.create()
  simulator.actors.add({
    after: { operation: 'listAnnotations' },
    steps: [{ delete: 'plugins', id: { at: 1 } }],
  })

  await ask('GET', annotationsPath)

  expect(simulator.actors.list()[0]?.errors).toEqual([
    {
      run: 1,
      step: 'steps[0]',
      message: 'Failed to find a row: expected a position in a list of 1 row, got 1.',
    },
  ])
})

test('an actor stores its latest ten errors', async () => {
  const { ask, simulator } = await start({ onError: () => {} })
  simulator.actors.add({
    after: { operation: 'listAnnotations', every: true },
    steps: [{ delete: 'annotations', id: 99 }],
  })

  for (let count = 0; count < 12; count++) await ask('GET', annotationsPath)

  const [actor] = simulator.actors.list()
  expect(actor?.errors.map(({ run }) => run)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
})

const triggers: readonly [after: ActorRequest['after'], warning: string | null][] = [
  [
    { operation: 'replaceAnnotation' },
    'It can never run: the current policies disable replaceAnnotation.',
  ],
  [
    { operation: 'listAnnotations', key: 'plugin:reed' },
    'It can never run: no key has this value or label. Did you mean "plugin:read"?',
  ],
  [{ operation: 'listAnnotations', key: 'phx_all' }, null],
  [{ method: ['PATCH', 'PUT'], path: '/api/projects/:project_id/annotations/*/' }, null],
  [{}, null],
]

test.each(triggers)(
  'the trigger %o is accepted, with a warning if it can never match',
  async (after, warning) => {
    const { simulator } = await start()
    const printed = vi.spyOn(console, 'warn').mockImplementation(() => {})
    onTestFinished(() => printed.mockRestore())

    const actor = simulator.actors.add({ after, steps: [write] })

    expect(printed.mock.calls.flat()).toEqual(
      warning === null ? [] : [`actor-1 (${after.operation}): ${warning}`],
    )
    expect(actor).toEqual({
      id: 'actor-1',
      after: { ...after, requests: 1, every: false },
      steps: [write],
      runs: 0,
      remaining: 1,
      errors: [],
      warning,
    })
  },
)

test('there can be at most 1,000 second actors', async () => {
  const { simulator } = await start()
  const actor: ActorRequest = { after: {}, steps: [{ delete: 'annotations', id: 1 }] }
  for (let count = 0; count < 999; count++) simulator.actors.add(actor)

  expect(simulator.actors.add(actor).id).toBe('actor-1000')
  const add = () => simulator.actors.add(actor)
  expect(add).toThrow(LimitError)
  expect(add).toThrow(
    'Failed to add an actor: there can be at most 1000 actors. Remove some, or clear them all.',
  )
  expect(simulator.actors.list()).toHaveLength(1_000)
  simulator.actors.remove('actor-1')
  expect(add().id).toBe('actor-1001')
})
