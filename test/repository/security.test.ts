import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../support/cli/command.ts'

test('SECURITY.md names tests of each threat, which exist', () => {
  const rows = readFileSync(join(root, 'SECURITY.md'), 'utf8').match(/^\| (?!Threat|---).*/gm) ?? []
  const tests = rows.flatMap(
    (row) =>
      row
        .split('|')
        .at(-2)
        ?.match(/test\/[\w/.-]+/g) ?? [row],
  )

  expect(tests.length).toBeGreaterThan(15)
  expect(tests.filter((file) => !existsSync(join(root, file)))).toEqual([])
})

test('workflows name the actions of others by digest, with their version', () => {
  const folder = join(root, '.github')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const lines = files
    .filter((file) => file.endsWith('.yml'))
    .flatMap((file) => readFileSync(join(folder, file), 'utf8').match(/^ *(?:- )?uses: .*/gm) ?? [])

  expect(lines.length).toBeGreaterThan(5)
  expect(lines.filter((line) => !/@[\da-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([])
})
