import { expect, test, vi } from 'vitest'
import { createSimulator, type FaultRule } from '../../../src/index.ts'
import { authorization } from '../../support/api/headers.ts'
import { annotationsPath } from '../../support/api/paths.ts'
import { initOf } from '../../support/transports/client.ts'

type Edits = NonNullable<FaultRule['effect']['edit']>

/** A simulator with a fault that edits rows after requests for lists. */
function withEdits(edit: Edits, rule: Omit<FaultRule, 'effect'> = {}) {
  const simulator = createSimulator()
  simulator.faults.add({ operation: 'listAnnotations', ...rule, effect: { edit } })
  const read = async (path = annotationsPath) => {
    const response = await simulator.fetch(path, { headers: authorization() })
    return { status: response.status, body: await response.json() }
  }
  return { simulator, read }
}

test('rows are added, changed and deleted after the request, before the next one', async () => {
  const { simulator, read } = withEdits(
    [
      { rows: { annotations: [{ content: 'By another client' }] } },
      { update: { annotations: [{ id: 1, content: 'Changed' }] } },
      { delete: { annotations: [2] } },
    ],
    { when: { times: 1 } },
  )

  const first = await read()
  const second = await read()

  const { annotations } = simulator.world
  expect([first.body.count, second.body.count]).toEqual([6, 6])
  expect(annotations.list().at(-1)?.content).toBe('By another client')
  expect([annotations.get(1)?.content, annotations.get(2)]).toEqual(['Changed', undefined])
  expect(simulator.journal.find()).toMatchObject([
    {
      reason: '200: the fault `fault-1` was applied: another client changes rows after the request',
      changes: [],
    },
    { reason: null, fault: null },
  ])
})

test('in phase before, rows change before the request is carried out', async () => {
  const { simulator, read } = withEdits(
    [{ rows: { annotations: [{ content: 'By another client' }] } }],
    { phase: 'before', operation: ['retrieveAnnotation', 'listAnnotations'], when: { times: 1 } },
  )

  const first = await read()
  const second = await read()

  expect([first.body.count, second.body.count]).toEqual([7, 7])
  expect(simulator.journal.find()).toMatchObject([
    {
      reason:
        '200: the fault `fault-1` was applied: another client changes rows before the request',
      changes: [],
    },
    { reason: null },
  ])
})

test('a client gets its own write back, and then that of another client', async () => {
  const { simulator, read } = withEdits(
    [{ update: { annotations: [{ id: 1, content: 'Theirs' }] } }],
    { operation: 'updateAnnotation' },
  )
  const init = initOf('PATCH', { body: { content: 'Mine' } })
  const written = await simulator.fetch(`${annotationsPath}1/`, init)

  expect((await written.json()).content).toBe('Mine')
  expect((await read(`${annotationsPath}1/`)).body.content).toBe('Theirs')
})

test('edits are made after each matching request, also after a refused one', async () => {
  const { simulator, read } = withEdits([{ rows: { annotations: [{}] } }])
  const before = simulator.world.annotations.count

  const { status } = await simulator.fetch(annotationsPath)
  await read()

  expect([status, simulator.world.annotations.count]).toEqual([401, before + 2])
})

test('an edit of a row that is gone is printed without a stack, no edit is made, and the client sees nothing', async () => {
  const printed = vi.spyOn(console, 'error').mockReturnValue()
  const { simulator, read } = withEdits([
    { update: { annotations: [{ id: 1, content: 'No' }] } },
    { delete: { annotations: [99] } },
  ])
  const content = simulator.world.annotations.get(1)?.content

  const { status } = await read()

  expect(status).toBe(200)
  expect(printed.mock.calls.flat()).toEqual([
    'An edit of the fault fault-1 failed: Failed to delete a row of annotations: expected an existing id, got 99.',
  ])
  expect(simulator.world.annotations.get(1)?.content).toBe(content)
  expect(simulator.journal.find()[0]?.reason).toBe(
    '200: an edit of the fault `fault-1` failed: Failed to delete a row of annotations: expected an existing id, got 99',
  )
})

test('a delayed response comes after the edits', async () => {
  const simulator = createSimulator()
  const edit: Edits = [{ rows: { annotations: [{}] } }]
  const [fault] = simulator.faults.add({
    operation: 'listAnnotations',
    effect: { edit, hold: true },
  })
  const before = simulator.world.annotations.count

  const pending = simulator.fetch(annotationsPath, { headers: authorization() })
  await expect.poll(() => simulator.faults.list()[0]?.waiting).toHaveLength(1)
  const added = simulator.world.annotations.count - before
  simulator.faults.remove(fault?.id as string)

  expect([added, (await (await pending).json()).count]).toEqual([1, 6])
})
