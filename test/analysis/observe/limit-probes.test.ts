import { expect, test } from 'vitest'
import { allKeys } from '../../support/observe/hidden-server.ts'
import { observeProbe } from '../../support/observe/observe-probe.ts'

const { all = '', old = '' } = allKeys

test.each([
  ['projects.list.limit.default', { all, old }, 'refused', 100],
  [
    'projects.list.limit.default',
    { all },
    'refused',
    'The status was 403, and the values would show as 200.',
  ],
  ['projects.list.limit.default', { all: old, old: 'phx_nobody' }, 'any_key', 100],
  ['plugins.list.limit.default', { all, old: 'phx_nobody' }, 'refused', 100],
] as const)(
  '%s is read with the keys %j, of which a server %s some',
  async (id, keys, scope, value) => {
    const found = { 'lists.limit.maximum': 'none', 'projects.list.scope': scope } as const
    const policies = { 'projects.list.scope': 'refused' } as const

    expect(await observeProbe(id, { keys, found, policies })).toBe(value)
  },
)
