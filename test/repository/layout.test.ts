import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../support/root.ts'

const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.test.ts') && !file.startsWith('consumers'),
)

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
