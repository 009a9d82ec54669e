import { expect, test } from 'vitest'
import { createSimulator, type Simulator } from '../../../src/simulator.ts'
import { UsageError } from '../../../src/utils/usage-error.ts'
import { annotationFields } from '../../support/api/annotation.ts'

const invalidCalls: readonly [
  what: string,
  write: (simulator: Simulator) => unknown,
  message: string,
][] = [
  [
    'a row with invalid fields',
    ({ world }) =>
      world.annotations.create({ content: 'x'.repeat(401), scope: 'team', mine: 1 } as object),
    [
      'Failed to write a row of annotations. Nothing was changed.',
      `  row: unknown field "mine". Allowed: ${annotationFields()}`,
      `  content: expected at most 400 characters, got "${'x'.repeat(79)}…`,
      '  scope: expected one of "dashboard_item", "dashboard", "project", "organization", "recording", "tag", got "team"',
    ].join('\n'),
  ],
  [
    'a row with dangling references',
    ({ world }) => world.annotations.create({ project: 9, dashboard_item: 98, created_by: 97 }),
    [
      'Failed to write a row of annotations. Nothing was changed.',
      '  project: expected an id in projects, got 9',
      '  dashboard_item: expected an id in dashboard_items, got 98',
      '  created_by: expected an id in users, got 97',
    ].join('\n'),
  ],
  [
    'a row without a required field',
    ({ world }) => world.plugin_configs.create(),
    [
      'Failed to write a row of plugin_configs. Nothing was changed.',
      '  plugin: expected number, got nothing',
    ].join('\n'),
  ],
  [
    'an id in use',
    ({ world }) => world.annotations.create({ id: 1 }),
    'Failed to create a row of annotations: expected an unused id, got 1.',
  ],
  [
    'an update of an unknown row',
    ({ world }) => world.users.update(99, {}),
    'Failed to update 99 of users: there is no such row.',
  ],
  [
    'a change of an id',
    ({ world }) => world.users.update(1, { id: 3 }),
    'Failed to update 1 of users: the id of a row cannot change.',
  ],
  [
    'an update with an invalid field',
    ({ world }) => world.users.update(1, { organizations: ['acme'] }),
    [
      'Failed to write a row of users. Nothing was changed.',
      '  organizations[0]: expected a lower-case UUID, got "acme"',
    ].join('\n'),
  ],
  [
    'deleting a row that other rows reference',
    ({ world }) => world.plugins.delete(21),
    [
      'Failed to delete 21 of plugins: other rows reference it. Change these first:',
      '  plugin_configs 31: plugin',
    ].join('\n'),
  ],
  [
    'deleting a user with keys, of which at most ten are listed',
    ({ world }) => world.users.delete(1),
    [
      'Failed to delete 1 of users: other rows reference it. Change these first:',
      ...[
        'all',
        'annotations',
        'annotation_read',
        'annotation_write',
        'plugins',
        'plugin_read',
        'plugin_write',
        'none',
        'old',
        'project_1',
      ].map((key) => `  keys phx_${key}: user`),
    ].join('\n'),
  ],
  [
    'deleting an organization in use',
    ({ world, defaults }) => world.organizations.delete(defaults.organization_id),
    '  projects 1: organization',
  ],
  [
    'a key with invalid fields',
    ({ keys }) => keys.issue({ value: ' x', scopes: ['annotation:read', 'annotation'], user: 1 }),
    [
      'Failed to issue a key. Nothing was changed.',
      '  value: expected at least two characters, without surrounding white space, got " x"',
      '  scopes[1]: expected a scope such as annotation:read, or *, got "annotation"',
    ].join('\n'),
  ],
  [
    'a key with dangling references',
    ({ keys }) => keys.issue({ user: 9, projects: [1, 8], organizations: [] }),
    [
      'Failed to issue a key. Nothing was changed.',
      '  user: expected an id in users, got 9',
      '  projects[1]: expected an id in projects, got 8',
    ].join('\n'),
  ],
  [
    'a key in use',
    ({ keys }) => keys.issue({ value: 'phx_all', scopes: [] }),
    [
      'Failed to issue a key. Nothing was changed.',
      '  value: expected an unused value, got "phx_all"',
    ].join('\n'),
  ],
  [
    'restoring a value that is not a snapshot',
    (simulator) => simulator.restore({} as never),
    'Failed to restore a snapshot: expected a result of simulator.snapshot(), got {}.',
  ],
  [
    'a key with an unknown field',
    ({ keys }) => keys.issue({ scope: 'annotation:read' } as object),
    ['Failed to issue a key. Nothing was changed.', '  key: unknown field "scope"'].join('\n'),
  ],
]

test.each(invalidCalls)('%s is rejected, and nothing is changed', (_, write, message) => {
  const simulator = createSimulator()
  const before = JSON.stringify(simulator.world.toJSON())

  expect(() => write(simulator)).toThrow(UsageError)
  expect(() => write(simulator)).toThrow(message)
  expect(JSON.stringify(simulator.world.toJSON())).toBe(before)
})
