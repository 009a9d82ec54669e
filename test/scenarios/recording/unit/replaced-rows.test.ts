import { expect, test } from 'vitest'
import type {
  ClockEdit,
  EditPosition,
  PlacedEdit,
  ReplacedEdit,
} from '../../../../src/sandbox/history/history.ts'
import { toEditSteps } from '../../../../src/scenarios/recording/change-steps.ts'
import type { ClockReading } from '../../../../src/world/clock/clock.ts'
import { buildWorld } from '../../../../src/world/load/build-world.ts'
import { exportWorld } from '../../../../src/world/load/export-world.ts'

const [first, second] = [1, 2].map((seed) => buildWorld({ format_version: 1, seed })) as [
  ReturnType<typeof buildWorld>,
  ReturnType<typeof buildWorld>,
]

/** A replacement of all rows at a journal position, which is also its order. */
const replace = (
  position: number,
  world: typeof first,
  savedAt: EditPosition | null = null,
): PlacedEdit => {
  const edit: ReplacedEdit = { position, tables: world.tables, savedAt, world }
  return { position, order: position, edit }
}

const setClock = (position: number, to: ClockReading): PlacedEdit => {
  const edit: ClockEdit = { position, from: { mode: 'real', now: '' }, to }
  return { position, order: position, edit }
}

test('a replacement by the first rows is a reset, and one by other rows a world that resets restore', () => {
  const edits = [
    replace(1, first),
    replace(2, second),
    replace(3, second),
    replace(4, first),
    replace(5, first),
  ]

  const { steps, warnings } = toEditSteps(edits, 0, first.tables)

  expect(steps).toEqual([
    { position: 1, step: { reset: true } },
    { position: 2, step: { world: exportWorld(second) } },
    { position: 3, step: { reset: true } },
    { position: 4, step: { world: exportWorld(first) } },
    { position: 5, step: { reset: true } },
  ])
  expect(warnings).toEqual([])
})

test('without the first rows, each replacement is a world', () => {
  expect(toEditSteps([replace(1, first)], 0, null)).toEqual({
    steps: [{ position: 1, step: { world: exportWorld(first) } }],
    warnings: [],
  })
})

test('a replacement by more rows than are stored is left out', () => {
  const { position, order, edit } = replace(1, first)

  const large = { position, order, edit: { ...edit, world: null } as ReplacedEdit }

  expect(toEditSteps([large, replace(2, first)], 0, null)).toEqual({
    steps: [{ position: 2, step: { world: exportWorld(first) } }],
    warnings: ['The recording leaves out a replacement of all rows, as there are too many.'],
  })
})

test('a snapshot is saved where it was taken if it is restored, and named in the order of saving', () => {
  const early = { position: 2, order: 2 }
  const late = { position: 4, order: 4 }
  const edits = [
    setClock(1, { mode: 'frozen', now: '2024-06-15T12:00:00Z' }),
    setClock(3, { mode: 'frozen', now: '2024-06-15T13:00:00Z' }),
    replace(5, second, late),
    replace(6, first, early),
    replace(7, second, late),
  ]

  const { steps, warnings } = toEditSteps(edits, 2, null)

  expect(steps).toEqual([
    { position: 1, step: { clock: '2024-06-15T12:00:00Z' } },
    { position: 2, step: { snapshot: 'state-1' } },
    { position: 3, step: { clock: '2024-06-15T13:00:00Z' } },
    { position: 4, step: { snapshot: 'state-2' } },
    { position: 5, step: { restore: 'state-2' } },
    { position: 6, step: { restore: 'state-1' } },
    { position: 7, step: { restore: 'state-2' } },
  ])
  expect(warnings).toEqual([])
})

test('a snapshot that was taken right before an edit is saved before it', () => {
  const edits = [
    setClock(2, { mode: 'real', now: '2024-06-15T12:00:00Z' }),
    replace(3, first, { position: 2, order: 2 }),
  ]

  expect(toEditSteps(edits, 0, null).steps).toEqual([
    { position: 2, step: { snapshot: 'state-1' } },
    { position: 2, step: { clock: 'real' } },
    { position: 3, step: { restore: 'state-1' } },
  ])
})

test('a snapshot from before the recording is restored as its rows', () => {
  const edits = [replace(3, first, { position: 1, order: 1 })]

  expect(toEditSteps(edits, 2, null)).toEqual({
    steps: [{ position: 3, step: { world: exportWorld(first) } }],
    warnings: [],
  })
})

test.each<readonly [ClockReading, unknown]>([
  [{ mode: 'real', now: '2024-06-15T12:00:00Z' }, 'real'],
  [{ mode: 'frozen', now: '2024-06-15T14:00:00+02:00' }, '2024-06-15T12:00:00Z'],
  [
    { mode: 'ticking', now: '2024-06-15T12:00:00.000Z' },
    { mode: 'ticking', time: '2024-06-15T12:00:00Z' },
  ],
])('a clock that becomes %j becomes a step that sets %j', (reading, clock) => {
  expect(toEditSteps([setClock(0, reading)], 0, null).steps).toEqual([
    { position: 0, step: { clock } },
  ])
})

test('of the changes of the clock before a request, the last one counts', () => {
  const changes = ['2024-06-15T12:00:00Z', '2024-06-15T13:00:00Z'].map((now, order) => ({
    ...setClock(0, { mode: 'frozen', now }),
    order,
  }))

  expect(toEditSteps([...changes, replace(0, first)], 0, first.tables).steps).toEqual([
    { position: 0, step: { clock: '2024-06-15T13:00:00Z' } },
    { position: 0, step: { reset: true } },
  ])
})
