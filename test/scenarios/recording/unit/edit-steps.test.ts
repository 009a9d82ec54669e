import { expect, test } from 'vitest'
import type { PlacedEdit, RowChange } from '../../../../src/sandbox/history/history.ts'
import { toEditSteps } from '../../../../src/scenarios/recording/change-steps.ts'
import type { ListName } from '../../../../src/world/table/lists.ts'

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
const entry = { id: 1, name: 'A', extra: { icon: 'x' }, versions: [] }

test.each<readonly [string, ListName, Partial<Rows>, unknown[]]>([
  ['a new row', 'plugins', { after: plugin }, [{ rows: { plugins: [plugin] } }]],
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
    'a new key with a label',
    'keys',
    { after: labelled },
    [{ rows: { keys: [{ label: 'reader', user: 1, scopes: null }] } }],
  ],
  [
    'a new key without a label',
    'keys',
    { after: unlabelled },
    [{ rows: { keys: [{ user: 1, scopes: null }] } }],
  ],
  [
    'a new entry of the catalogue',
    'repository',
    { after: entry },
    [{ rows: { repository: [{ name: 'A', versions: [], icon: 'x' }] } }],
  ],
  [
    'a changed row',
    'plugins',
    { before: plugin, after: { ...plugin, config_schema: [{ key: 'a' }], metrics: { $a: 1 } } },
    [{ update: { plugins: [{ id: 3, metrics: { $literal: { $a: 1 } } }] } }],
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
  ['a removed row', 'plugins', { before: plugin }, [{ delete: { plugins: [3] } }]],
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
    'new rows of lists in the order of a world',
    [
      ['projects', added(1)],
      ['projects', added(2)],
      ['annotations', added(3, { project: 9 })],
    ],
    [{ rows: { projects: [{ id: 1 }, { id: 2 }], annotations: [{ id: 3, project: 9 }] } }],
  ],
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
      ['keys', { after: { user: 1, projects: [9] } }],
      ['keys', { after: { user: 1, projects: [9, 1] } }],
    ],
    [
      { rows: { projects: [{ id: 1 }], keys: [{ user: 1, projects: [9] }] } },
      { rows: { keys: [{ user: 1, projects: [9, 1] }] } },
    ],
  ],
  [
    'rows without references',
    [
      ['organizations', added(1)],
      ['organizations', added(2)],
      ['repository', { after: { id: 1, name: 'A' } }],
    ],
    [{ rows: { organizations: [{ id: 1 }, { id: 2 }], repository: [{ name: 'A' }] } }],
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
    'removed rows of lists in any order',
    [
      ['annotations', removed(1)],
      ['annotations', removed(2)],
      ['projects', removed(3)],
      ['annotations', removed(4)],
    ],
    [{ delete: { annotations: [1, 2], projects: [3] } }, { delete: { annotations: [4] } }],
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
  [
    'changes before different requests',
    [
      ['projects', added(1)],
      ['projects', added(2), 1],
      ['projects', added(3), 1],
    ],
    [{ rows: { projects: [{ id: 1 }] } }, { rows: { projects: [{ id: 2 }, { id: 3 }] } }],
  ],
])('one step makes as many changes as it can: %s', (_, writes, expected) => {
  expect(stepsOf(...writes)).toEqual(expected)
})
