import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run } from '../support/cli/command.ts'
import { badUse } from '../support/cli/output.ts'
import { temporaryFolder } from '../support/files.ts'
import { root } from '../support/root.ts'

/** A folder with a schema and three scenarios, one of which has the name of a pattern. */
function createFolder(): string {
  const folder = temporaryFolder({ 'story.schema.json': {} })
  const scenario = `${root}scenarios/delete-not-allowed.json`
  for (const name of ['b.json', 'a.json', '[c].json']) cpSync(scenario, join(folder, name))
  return folder
}

test('replay expands the patterns that the shell passed on, in the order of names', async () => {
  const folder = createFolder()

  const { code, stdout } = await run(['replay', '--json', `${folder}/{b,a,story.schema}.json`])
  const one = await run(['replay', '--json', join(folder, '[c].json')])

  const files = (text: string) => JSON.parse(text).map(({ file }: { file: string }) => file)
  expect([code, files(stdout)]).toEqual([0, [join(folder, 'a.json'), join(folder, 'b.json')]])
  expect([one.code, files(one.stdout)]).toEqual([0, [join(folder, '[c].json')]])
})

test.each([
  ['replay', '*.har', 'No file matches PATTERN.'],
  ['replay', 'a.json ?.har', 'No file matches PATTERN.'],
  ['validate', '*.har', 'No file matches PATTERN.'],
  [
    'import',
    '[ab].json',
    'PATTERN matches 2 files: FOLDER/a.json, FOLDER/b.json. Name one of them.',
  ],
])('%s %s ends with 2, and says which files match', async (command, names, message) => {
  const folder = createFolder()
  const paths = names.split(' ').map((name) => join(folder, name))

  const text = message.replace('PATTERN', paths.at(-1) ?? '').replaceAll('FOLDER', folder)
  expect(await run([command, ...paths])).toEqual(badUse(`${text}\n`))
})

test('a pattern can match the one file that a command takes', async () => {
  const folder = createFolder()

  const { code, stdout } = await run(['validate', `${folder}/a*.json`])

  expect([code, stdout]).toEqual([
    0,
    expect.stringContaining(`${join(folder, 'a.json')} is a valid`),
  ])
})
