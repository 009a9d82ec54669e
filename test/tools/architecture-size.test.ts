import { expect, test } from 'vitest'
import { sources } from '../support/sources.ts'

/** Files of more than 140 lines, each with its reason. */
const reasonedLongFiles: Readonly<Record<string, string>> = {
  'cli/all-flags.ts': 'data: one flag after the other',
  'policies/annotations.ts': 'data: one entry after the other',
  'policies/keys.ts': 'data: one entry after the other',
  'policies/plugin-extras.ts': 'data: one entry after the other',
  'policies/plugins.ts': 'data: one entry after the other',
  'policies/service.ts': 'data: one entry after the other',
  'sandbox.ts': 'the composition of one world: what belongs to it, each part in a line or two',
  'world/rows.ts': 'types only: every row of the world format in one place',
}

test('a file is one idea', () => {
  const sizes = sources.map(({ lines }) => lines).sort((a, b) => a - b)
  const median = sizes[Math.floor(sizes.length / 2)] as number
  const long = sources.filter(({ lines }) => lines > 140).map(({ file }) => file)

  console.info(
    `src: ${sizes.length} files, of ${median} lines in the median; ${long.length} of more than 140`,
  )
  expect(median).toBeLessThanOrEqual(60)
  expect(long.sort()).toEqual(Object.keys(reasonedLongFiles).sort())
})
