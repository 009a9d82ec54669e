import { expect, test } from 'vitest'
import type {
  ClockEdit,
  EditPosition,
  PlacedEdit,
  ReplacedEdit,
  RowChange,
} from '../../../../src/sandbox/history/history.ts'
import { toEditSteps } from '../../../../src/scenarios/recording/changes.ts'
import type { ClockReading } from '../../../../src/world/clock/clock.ts'
import { buildWorld } from '../../../../src/world/load/build-world.ts'
import { exportWorld } from '../../../../src/world/load/export-world.ts'
import type { ListName } from '../../../../src/world/table/tables.ts'

type Rows = Pick<RowChange, 'before' | 'after'>
type Write = readonly [list: ListName, rows: Partial<Rows>, position?: number]

/** Edits in the order of this list. */
const place = (edits: readonly object[]): PlacedEdit[] =>
  edits.map((edit, order) => ({ position: 0, order, edit, ...edit }) as unknown as PlacedEdit)

const write = ([list, rows, position = 0]: Write): object => ({
  position,
  list,
  before: undefined,
  after: undefined,
  ...rows,
})

const stepsOf = (...writes: readonly Write[]) => {
  const { steps, warnings } = toEditSteps(place(writes.map(write)), 0, null)
  return [...steps.map(({ step }) => step), ...warnings]
}

const labelled = { value: 'phx_a', label: 'reader', user: 1, scopes: null }
const unlabelled = { ...labelled, label: 'phx_a' }
const plugin = { id: 3, name: 'A', metrics: {}, config_schema: [{ key: 'a' }] }
const annotation = { id: 7, content: 'A', project: 1, organization: 'o' }
const entry = { id: 1, name: 'A', icon: 'x', versions: [] }

test.each<readonly [string, ListName, Partial<Rows>, unknown[]]>([
  [
    'a new annotation',
    'annotations',
    { after: annotation },
    [{ rows: { annotations: [{ id: 7, content: 'A', project: 1 }] } }],
  ],
  [
    'a new row with a name that begins with $',
    'plugins',
    { after: { id: 3, metrics: { $a: 1 } } },
    [{ rows: { plugins: [{ id: 3, metrics: { $literal: { $a: 1 } } }] } }],
  ],
  [
    'a new key without a label',
    'keys',
    { after: unlabelled },
    [{ rows: { keys: [{ label: 'issued-1', user: 1, scopes: null }] } }],
  ],
  [
    'a new entry of the catalogue',
    'repository',
    { after: entry },
    [{ rows: { repository: [{ name: 'A', versions: [], icon: 'x' }] } }],
  ],
  [
    'a changed annotation',
    'annotations',
    { before: annotation, after: { ...annotation, content: 'B', organization: 'p' } },
    [{ update: { annotations: [{ id: 7, content: 'B' }] } }],
  ],
  ['an equal row', 'plugins', { before: plugin, after: { ...plugin } }, []],
  [
    'a changed user of a key',
    'keys',
    { before: labelled, after: { ...labelled, user: 2 } },
    ['The recording leaves out a change of a row of keys.'],
  ],
  [
    'a changed entry of the catalogue',
    'repository',
    { before: entry, after: { ...entry, name: 'B' } },
    ['The recording leaves out a change of a row of repository.'],
  ],
  ['a removed key with a label', 'keys', { before: labelled }, [{ revoke: 'reader' }]],
  [
    'a removed key without a label',
    'keys',
    { before: unlabelled },
    ['The recording leaves out the removal of a key without a label.'],
  ],
])('%s becomes steps or a warning', (_, list, rows, expected) => {
  expect(stepsOf([list, rows])).toEqual(expected)
})

const added = (id: number, row: object = {}): Partial<Rows> => ({ after: { id, ...row } })
const changed = (id: number): Partial<Rows> => ({ before: { id }, after: { id, name: 'A' } })
const removed = (id: number): Partial<Rows> => ({ before: { id } })

test.each<readonly [string, readonly Write[], unknown[]]>([
  [
    'new rows of lists in another order',
    [
      ['annotations', added(3)],
      ['projects', added(1)],
      ['annotations', added(4)],
    ],
    [
      { rows: { annotations: [{ id: 3 }] } },
      { rows: { projects: [{ id: 1 }], annotations: [{ id: 4 }] } },
    ],
  ],
  [
    'a row that refers to a new row',
    [
      ['projects', added(1)],
      ['users', added(2)],
      ['annotations', added(3, { created_by: 2 })],
      ['annotations', added(4, { created_by: 2 })],
    ],
    [
      { rows: { projects: [{ id: 1 }], users: [{ id: 2 }] } },
      {
        rows: {
          annotations: [
            { id: 3, created_by: 2 },
            { id: 4, created_by: 2 },
          ],
        },
      },
    ],
  ],
  [
    'a key that is limited to a new row',
    [
      ['projects', added(1)],
      ['keys', { after: { label: 'a', user: 1, projects: [9] } }],
      ['keys', { after: { label: 'b', user: 1, projects: [9, 1] } }],
    ],
    [
      { rows: { projects: [{ id: 1 }], keys: [{ label: 'a', user: 1, projects: [9] }] } },
      { rows: { keys: [{ label: 'b', user: 1, projects: [9, 1] }] } },
    ],
  ],
  [
    'changed rows of lists in any order',
    [
      ['plugins', changed(1)],
      ['projects', changed(2)],
      ['projects', changed(3)],
      ['plugins', changed(4)],
    ],
    [
      {
        update: {
          plugins: [{ id: 1, name: 'A' }],
          projects: [
            { id: 2, name: 'A' },
            { id: 3, name: 'A' },
          ],
        },
      },
      { update: { plugins: [{ id: 4, name: 'A' }] } },
    ],
  ],
  [
    'changes of different kinds',
    [
      ['projects', added(1)],
      ['projects', changed(1)],
      ['projects', removed(1)],
      ['keys', { before: { label: 'reader', value: 'phx_a' } }],
      ['keys', { before: { label: 'writer', value: 'phx_b' } }],
    ],
    [
      { rows: { projects: [{ id: 1 }] } },
      { update: { projects: [{ id: 1, name: 'A' }] } },
      { delete: { projects: [1] } },
      { revoke: 'reader' },
      { revoke: 'writer' },
    ],
  ],
])('one step makes as many changes as it can: %s', (_, writes, expected) => {
  expect(stepsOf(...writes)).toEqual(expected)
})

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
