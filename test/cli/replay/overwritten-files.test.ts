import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run } from '../../support/cli/command.ts'
import { temporaryFolder } from '../../support/files.ts'

const story = {
  title: 'A list',
  world: 'default',
  steps: [{ as: 'all', method: 'GET', path: '/api/projects/', expect: { status: 404 } }],
}

test.each([
  [['--report', 'html', '--out']],
  [['--report', 'json', '--out']],
  [['--report', 'junit', '--out']],
  [['--har']],
  [['--bundle']],
])('replay overwrites with %s no foreign file, but its own', async (flags) => {
  const folder = temporaryFolder()
  const [file, notes] = [join(folder, 'story.json'), join(folder, 'notes.json')]
  writeFileSync(file, JSON.stringify(story))
  writeFileSync(notes, '{"mine": true}')

  const foreign = await run(['replay', file, ...flags, notes])
  const kept = readFileSync(notes, 'utf8')
  const forced = await run(['replay', file, ...flags, notes, '--force'])
  const again = await run(['replay', file, ...flags, notes])

  expect(foreign).toMatchObject({ code: 2, stdout: '' })
  expect(foreign.stderr).toMatch(
    /notes\.json already exists, and is not an? [a-z -]+\. Choose another name with --[a-z]+, or overwrite it with --force\.\n$/,
  )
  expect(kept).toBe('{"mine": true}')
  expect([forced.code, again.code]).toEqual([1, 1])
})

test('replay overwrites no other list of objects with a JSON report', async () => {
  const folder = temporaryFolder({ 'story.json': story, 'rows.json': [{ id: 1 }] })
  const file = join(folder, 'rows.json')

  const { code } = await run([
    ...['replay', join(folder, 'story.json')],
    ...['--report', 'json', '--out', file],
  ])

  expect(code).toBe(2)
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual([{ id: 1 }])
})
