import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run } from '../support/cli/command.ts'
import { temporaryFolder } from '../support/files.ts'

test.each<[args: readonly string[], kind: string]>([
  [['exec', '--record', 'FILE', '--', 'true'], 'a scenario'],
  [['record', '--target', 'http://127.0.0.1:1', '--out', 'FILE'], 'a scenario'],
  [
    ['record', '--target', 'http://127.0.0.1:1', '--out', 'story.json', '--har', 'FILE'],
    'an archive of understudy-api',
  ],
  [['compare', '--target', 'http://127.0.0.1:1', '--out', 'FILE'], 'a setting file'],
])('a file of another kind is overwritten only with --force: %j', async (args, kind) => {
  const folder = temporaryFolder({ 'package.json': { name: 'mine' } })
  const file = join(folder, 'package.json')
  const words = args.map((word) =>
    word === 'FILE' ? file : word === 'story.json' ? join(folder, word) : word,
  )

  const { code, stdout, stderr } = await run(words)

  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toMatch(
    new RegExp(
      `package\\.json already exists, and is not ${kind}\\. Choose another name with --\\w+, or overwrite it with --force\\.\n$`,
    ),
  )
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ name: 'mine' })
})

test.each(['html', 'json', 'xml'])('a report overwrites any .%s file', async (extension) => {
  const file = join(temporaryFolder(), `report.${extension}`)
  writeFileSync(file, 'an earlier report')

  const { code } = await run(['exec', '--report', file, '--', 'true'])

  expect(code).toBe(0)
  expect(readFileSync(file, 'utf8')).not.toBe('an earlier report')
})
