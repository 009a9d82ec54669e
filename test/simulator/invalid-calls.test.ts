import { expect, test } from 'vitest'
import { createSimulator, type Simulator } from '../../src/simulator.ts'
import { UsageError } from '../../src/utils/errors.ts'

const invalidCalls: readonly [
  what: string,
  write: (simulator: Simulator) => unknown,
  message: string,
][] = [
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
    'an update of the id of a row',
    ({ world }) => world.projects.update(1, { id: 5 }),
    'Failed to update 1 of projects: the id of a row cannot change.',
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
      '  id: plugin_configs 31 references it (plugin)',
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
      ].map((key) => `  id: keys phx_${key} references it (user)`),
    ].join('\n'),
  ],
  [
    'deleting an organization in use',
    ({ world, defaults }) => world.organizations.delete(defaults.organization_id),
    '  id: projects 1 references it (organization)',
  ],
  [
    'restoring a value that is not a snapshot',
    (simulator) => simulator.restore({} as never),
    'Failed to restore a snapshot: expected a result of simulator.snapshot(), got {}.',
  ],
]

test.each(invalidCalls)('%s is rejected, and nothing is changed', (_, write, message) => {
  const simulator = createSimulator()
  const before = JSON.stringify(simulator.world.toJSON())

  expect(() => write(simulator)).toThrow(UsageError)
  expect(() => write(simulator)).toThrow(message)
  expect(JSON.stringify(simulator.world.toJSON())).toBe(before)
})
