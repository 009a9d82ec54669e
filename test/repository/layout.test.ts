import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../support/root.ts'

const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.test.ts') && !file.startsWith('consumers'),
)

/** A module below the entries of the package, a helper beside the test, or the sandbox that the types of a simulator hide. */
const usesPrivate = /\/src\/[\w-]+\/|from '\.\/|\.sandbox\b/

test('a test in a folder unit uses private modules, and any other is a behaviour test', () => {
  const misplaced = files.filter(
    (file) =>
      file.includes('/unit/') && !usesPrivate.test(readFileSync(join(root, 'test', file), 'utf8')),
  )

  expect(misplaced).toEqual([])
})

/** Folders of test that are not named like a folder of src. */
const ownFolders = [
  'browser',
  'first-hour',
  'fuzz',
  'laws',
  'model',
  'packed',
  'repository',
  'soak',
  'transport',
  'unit',
]

test('every folder of tests is named like the folder or file of src that it tests', () => {
  const folders = new Set(
    files.flatMap((file) => {
      const parts = file.split('/').slice(0, -1)
      return parts.map((_, index) => parts.slice(0, index + 1).join('/'))
    }),
  )
  const unknown = [...folders].filter((folder) => {
    const isOwn = folder.split('/').some((name) => ownFolders.includes(name))
    const path = join(root, 'src', folder)
    return !isOwn && !existsSync(path) && !existsSync(`${path}.ts`)
  })

  expect(unknown).toEqual([])
})
