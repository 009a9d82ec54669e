import { expect, test } from 'vitest'
import { generate } from '../../../../src/factories.ts'
import { createSimulator } from '../../../../src/simulator.ts'
import { formatIssue } from '../../../../src/utils/issues.ts'
import { describeIssues, suggestFields } from '../../../../src/utils/schema-issues.ts'
import { readWorld } from '../../../../src/world/load/read-world.ts'
import { worldSchema } from '../../../../src/world/schema/world-schema.ts'
import { temporaryFile } from '../../../support/files.ts'

const counts: readonly [counts: Record<string, number>, issue: string | null][] = [
  [{ annotations: 999_999 }, null],
  [{ annotations: 1_000_000 }, null],
  [
    { annotations: 1_000_001 },
    'generate: expected at most 1000000 generated rows in total, got {"annotations":1000001}',
  ],
  [{ activity: 1_000_000, annotations: 0 }, null],
  [
    { activity: 1_000_001 },
    'generate: expected at most 1000000 generated rows in total, got {"activity":1000001}',
  ],
  [{ plugins: 99_999 }, null],
  [{ plugins: 100_000 }, null],
  [{ plugins: 100_001 }, 'generate.plugins: expected at most 100000, got 100001'],
  [{ organizations: 100_001 }, 'generate.organizations: expected at most 100000, got 100001'],
  [{ annotations: 900_000, users: 99_999 }, null],
  [{ annotations: 900_000, users: 100_000 }, null],
  [
    { annotations: 900_001, users: 100_000 },
    'generate: expected at most 1000000 generated rows in total, got {"annotations":900001,"users":100000}',
  ],
]

test.each(counts)('generated rows are limited: %j', (generated, issue) => {
  const world = { generate: generated }

  const { error } = worldSchema().safeParse(world, suggestFields)

  expect(error ? describeIssues(error, world).map(formatIssue) : [null]).toEqual([issue])
})

test('every way to generate rows in-process has the limit', async () => {
  const world = { generate: { annotations: 1_000_001 } }
  const simulator = createSimulator()
  const issue = 'generate: expected at most 1000000 generated rows in total'

  expect(() => generate(world)).toThrow(issue)
  expect(() => createSimulator({ world })).toThrow(issue)
  expect(() => simulator.replaceWorld(world)).toThrow(issue)
  expect(() => simulator.snapshots.import('large', world)).toThrow(issue)
  // Also for --data and for a file that is watched
  await expect(readWorld(temporaryFile(world))).rejects.toThrow(issue)
})
