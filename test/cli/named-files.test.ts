import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run } from '../support/cli/command.ts'
import { badUse } from '../support/cli/output.ts'
import { temporaryFolder } from '../support/files.ts'

const story = { title: 'x', steps: [{ method: 'GET', path: '/api/projects/1/annotations/' }] }
const settings = { settings: {}, open: {} }
const compare = ['compare', '--target', 'http://127.0.0.1:1']

test.each<[flag: string, object, args: readonly string[], variables?: Record<string, string>]>([
  ['--out', settings, [...compare, '--settings', 'FILE', '--out', 'FILE']],
  ['--out', settings, [...compare, '--out', 'FILE'], { UNDERSTUDY_SETTINGS: 'FILE' }],
  ['--report', story, ['replay', 'FILE', '--report', 'other.json', '--report', 'FILE']],
  ['--record', {}, ['exec', '--world', 'FILE', '--record', 'FILE', '--', 'true']],
  ['--state', {}, ['serve', '--port', '0', '--world', 'FILE', '--state', 'FILE']],
])(
  '%s never overwrites a file that the command reads: %o, %j',
  async (flag, content, args, env = {}) => {
    const file = join(temporaryFolder({ 'read.json': content }), 'read.json')
    const named = (word: string) => (word === 'FILE' ? file : word)
    const variables = Object.fromEntries(Object.entries(env).map(([name]) => [name, file]))

    const result = await run(args.map(named), variables)

    expect(result).toEqual(
      badUse(`${flag} names ${file}, which the command uses, too. Choose another file.\n`),
    )
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(content)
  },
)

test('a link to a file that the command reads is that file', async () => {
  const folder = temporaryFolder({ 'world.json': {} })
  const [file, link] = ['world.json', 'link.json'].map((name) => join(folder, name))
  symlinkSync(file as string, link as string)

  const { stderr } = await run(['serve', '--port', '0', '--world', `${file}`, '--state', `${link}`])

  expect(stderr).toBe(`--state names ${link}, which the command uses, too. Choose another file.\n`)
})

test.each([
  ['import', 'story.json', '--as', 'vitest', '--out'],
  ['compare', '--target', 'http://127.0.0.1:1', '--out'],
  ['record', '--target', 'http://127.0.0.1:1', '--har', 'x.har', '--out'],
  ['serve', '--port', '0', '--state'],
])('a folder is refused by its flag: %s', async (...args) => {
  const folder = temporaryFolder({ 'story.json': story })
  const words = args.map((word) => (word === 'story.json' ? join(folder, word) : word))

  expect(await run([...words, folder])).toEqual(
    badUse(`${args.at(-1)} names ${folder}, which is a folder. Choose a file.\n`),
  )
})

test.each([
  ['replay', 'story.json', '--report', [{ accepted: true }]],
  ['import', 'a.har', '--out', { steps: [{ path: '/api/projects/' }] }],
])('%s creates the folder of a file, whose name can have a comma', async (...row) => {
  const [command, source, flag, content] = row
  const request = { method: 'GET', url: 'https://app.example.com/api/projects/', headers: [] }
  const har = { log: { entries: [{ request, response: { status: 200, headers: [] } }] } }
  const folder = temporaryFolder({ 'story.json': story, 'a.har': har })
  const file = join(folder, 'none', 'inner', 'Monday, first.json')

  const { code } = await run([command, join(folder, source), flag, file])

  expect([code, JSON.parse(readFileSync(file, 'utf8'))]).toMatchObject([0, content])
})

test.each([
  ['exec', ['--', 'true'], '--record'],
  ['record', ['--target', 'http://127.0.0.1:1'], '--out'],
  ['compare', ['--target', 'http://127.0.0.1:1'], '--out'],
])('%s overwrites no file that is not JSON', async (command, args, flag) => {
  const file = join(temporaryFolder(), 'client.test.ts')
  writeFileSync(file, 'precious')

  expect(await run([command, flag, file, ...args])).toEqual(
    badUse(`${flag} names ${file}, which exists and is not JSON. Choose another file.\n`),
  )
  expect(readFileSync(file, 'utf8')).toBe('precious')
})

test('each wrong value of a setting file is named', async () => {
  const status = { 'annotations.delete.status': '405_emty' }
  const inherited = { 'paths.current': 'toString', toString: 'on' }
  const settings = { 'methods.put': ['on'], 'limits.body': ['4096'], ...status, ...inherited }
  const file = join(temporaryFolder({ 'settings.json': { settings, opn: {} } }), 'settings.json')

  const { code, stderr } = await run(['serve', '--port', '0', '--settings', file])

  expect(code).toBe(2)
  expect(stderr.split('\n')).toEqual([
    `${file} is not a valid setting file.`,
    '  opn: unknown field. Did you mean "open"?',
    '  settings.methods.put: expected one of off, on, got ["on"]',
    '  settings.limits.body: expected a whole number from 1 to 536870888, got ["4096"]',
    expect.stringMatching(/ {2}settings.annotations.delete.status: .* Did you mean "405_empty"\?$/),
    expect.stringMatching(/ {2}settings.paths.current: expected .* got "toString"$/),
    expect.stringMatching(/^ {2}settings.toString: unknown setting\./),
    '',
  ])
})
