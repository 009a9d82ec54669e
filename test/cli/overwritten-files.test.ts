import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run } from '../support/cli/command.ts'
import { temporaryFolder } from '../support/files.ts'

const story = {
  title: 'A list',
  world: 'default',
  steps: [{ as: 'all', method: 'GET', path: '/api/projects/', expect: { status: 404 } }],
}

test.each(['html', 'json', 'xml'])(
  'replay overwrites no foreign .%s file, but its own',
  async (ending) => {
    const folder = temporaryFolder()
    const [file, notes] = [join(folder, 'story.json'), join(folder, `notes.${ending}`)]
    writeFileSync(file, JSON.stringify(story))
    writeFileSync(notes, '{"mine": true}')

    const foreign = await run(['replay', file, '--report', notes])
    const kept = readFileSync(notes, 'utf8')
    const forced = await run(['replay', file, '--report', notes, '--force'])
    const again = await run(['replay', file, '--report', notes])

    expect(foreign).toMatchObject({ code: 2, stdout: '' })
    expect(foreign.stderr).toMatch(
      /notes\.\w+ already exists, and is not an? [a-z -]+\. Choose another name with --[a-z]+, or overwrite it with --force\.\n$/,
    )
    expect(kept).toBe('{"mine": true}')
    expect([forced.code, again.code]).toEqual([1, 1])
  },
)

test('replay overwrites no other list of objects with a JSON report', async () => {
  const folder = temporaryFolder({ 'story.json': story, 'rows.json': [{ id: 1 }] })
  const file = join(folder, 'rows.json')

  const { code } = await run([...['replay', join(folder, 'story.json')], ...['--report', file]])

  expect(code).toBe(2)
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual([{ id: 1 }])
})

test.each([
  ['exec', ['exec', '--report', 'FILE', '--', 'true']],
  ['exec', ['exec', '--record', 'FILE', '--', 'true']],
  ['sweep', ['sweep', '--report', 'FILE', '--', 'true']],
  ['compare', ['compare', '--target', 'http://127.0.0.1:1', '--report', 'FILE']],
])('%s overwrites no foreign file: %j', async (_, args) => {
  const folder = temporaryFolder({ 'story.json': story, 'package.json': { name: 'mine' } })
  const file = join(folder, 'package.json')
  const words = args.map((word) =>
    word === 'FILE' ? file : word === 'story.json' ? join(folder, word) : word,
  )

  const { code, stdout, stderr } = await run(words)

  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toMatch(
    /package\.json already exists, and is not a (scenario|report of understudy-api)\. Choose another name with --\w+, or overwrite it with --force\.\n$/,
  )
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ name: 'mine' })
})

const extensions = ['html', 'json', 'xml']

test.each(
  ['exec', 'sweep'].flatMap((name) => extensions.map((extension) => [name, extension] as const)),
)('%s overwrites its own report as %s, and another file with --force', async (name, extension) => {
  const file = join(temporaryFolder(), `report.${extension}`)
  writeFileSync(file, 'mine')

  const forced = await run([name, '--report', file, '--force', '--', 'true'])
  const again = await run([name, '--report', file, '--', 'true'])

  expect([again.code, again.stderr]).toEqual([forced.code, forced.stderr])
  expect(readFileSync(file, 'utf8')).not.toBe('mine')
})
