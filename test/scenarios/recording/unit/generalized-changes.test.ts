import { expect, test } from 'vitest'
import type { ChangeStep } from '../../../../src/scenarios/format/scenario.ts'
import {
  generalizeChange,
  idsOfAddedRows,
} from '../../../../src/scenarios/recording/generalize-change.ts'

const organization = '018f2b6e-0000-7000-8000-00000000000a'

const change = (step: object) => step as unknown as ChangeStep

/** Resolves every id except those of projects 9. */
const resolve = (key: string, type?: string) =>
  key === 'project 9' ? null : `${key} as ${type}`.replaceAll(' ', '_')

test('the ids of added rows are those of lists whose ids are counted', () => {
  const step = change({
    title: 'By hand',
    rows: {
      organizations: [{ id: organization }],
      plugin_configs: [{ id: 3 }, { name: 'A' }, { id: 5 }],
      keys: [{ id: 6 }],
      repository: [{ id: 7 }],
      activity: [{ id: 8 }],
    },
  })

  expect(idsOfAddedRows(step)).toEqual([
    {
      key: 'plugin_config 3',
      pointer: '/plugin_configs/0',
      name: 'plugin_config_id',
      type: 'number',
    },
    {
      key: 'plugin_config 5',
      pointer: '/plugin_configs/2',
      name: 'plugin_config_id',
      type: 'number',
    },
    { key: 'activity 8', pointer: '/activity/0', name: 'activity_id', type: 'number' },
  ])
  expect(idsOfAddedRows(change({ update: { plugins: [{ id: 3 }] } }))).toEqual([])
})

test.each([
  [
    'added rows have no ids, except those that are not counted, and refer to saved ids',
    {
      title: 'By hand',
      rows: {
        organizations: [{ id: organization, name: 'A' }, { name: 'B' }],
        projects: [{ id: 1, organization }],
        keys: [{ user: 2, projects: [1, 9, 'x'], organizations: [organization] }],
        annotations: [{ id: 4, project: 1, created_by: null, content: 12 }],
        repository: [{ id: 1, project: 1 }],
      },
    },
    {
      title: 'By hand',
      rows: {
        organizations: [{ id: organization, name: 'A' }, { name: 'B' }],
        projects: [{ organization }],
        keys: [
          {
            user: { $saved: 'user_2_as_number' },
            projects: [{ $saved: 'project_1_as_number' }, 9, 'x'],
            organizations: [organization],
          },
        ],
        annotations: [
          { project: { $saved: 'project_1_as_number' }, created_by: null, content: 12 },
        ],
        repository: [{ id: 1, project: 1 }],
      },
    },
  ],
  [
    'updated rows have saved ids, and refer to saved ids',
    {
      update: {
        annotations: [
          { id: 4, project: 9 },
          { id: 5, created_by: 2 },
        ],
        projects: [{ id: 9 }],
      },
    },
    {
      update: {
        annotations: [
          { id: { $saved: 'annotation_4_as_number' }, project: 9 },
          { id: { $saved: 'annotation_5_as_number' }, created_by: { $saved: 'user_2_as_number' } },
        ],
        projects: [{ id: 9 }],
      },
    },
  ],
  [
    'deleted rows have saved ids',
    { delete: { plugin_configs: [4], projects: [9], organizations: [organization] } },
    {
      delete: {
        plugin_configs: [{ $saved: 'plugin_config_4_as_number' }],
        projects: [9],
        organizations: [organization],
      },
    },
  ],
  ['any other change stays', { revoke: 'reader' }, { revoke: 'reader' }],
])('%s', (_, step, expected) => {
  expect(generalizeChange(change(step), resolve)).toEqual(expected)
})
