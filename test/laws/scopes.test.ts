import { expect, test } from 'vitest'
import { endpoints } from '../../src/api/endpoints.ts'
import { resolveBySetting } from '../../src/settings/by-setting.ts'
import { profiles, resolveSettings } from '../../src/settings/resolve.ts'
import { scopeObjects } from '../../src/world/world-format.ts'

test('the known scope objects are those of the operations', () => {
  const rules = endpoints.flatMap(({ scope }) =>
    profiles.map((profile) => resolveBySetting(scope, resolveSettings(profile))),
  )
  const objects = rules.flatMap((rule) => /^(\w+):/.exec(rule)?.[1] ?? [])

  expect([...new Set(objects)].sort()).toEqual([...scopeObjects])
})
