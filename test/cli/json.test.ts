import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run } from '../support/cli/command.ts'
import { startRecord } from '../support/cli/record.ts'
import { startServe } from '../support/cli/serve.ts'
import { temporaryFile, temporaryFolder } from '../support/files.ts'
import { root } from '../support/root.ts'

const read = { as: 'all', method: 'GET', path: '/api/projects/1/annotations/' }
const held = { ...read, expect: { status: 200 } }
const wrong = { ...read, expect: { status: 404 } }
const story = (...steps: object[]) => temporaryFile({ title: 'A story', world: 'default', steps })

test('worlds --json lists the worlds with their rows', async () => {
  const { code, stdout, stderr } = await run(['worlds', '--json'])

  expect([code, stderr]).toEqual([0, ''])
  expect(JSON.parse(stdout).map(({ name }: { name: string }) => name)).toEqual([
    'default',
    'empty',
    'odd',
    'crowded',
  ])
  expect(JSON.parse(stdout)[0].rows).toMatchObject({ projects: 2, annotations: 8 })
})

test('validate --json tells how many rows there are, or every fault', async () => {
  const bad = temporaryFile({ annotations: 5, projects: 5 })

  const good = await run(['validate', 'default', '--json'])
  const { code, stdout, stderr } = await run(['validate', bad, '--json'])

  expect(JSON.parse(good.stdout)).toMatchObject({ file: 'default', rows: { annotations: 8 } })
  expect(code).toBe(2)
  expect(JSON.parse(stdout)).toEqual({
    error: {
      message: stderr.trimEnd(),
      issues: ['projects: expected array, got 5', 'annotations: expected array, got 5'],
      exit_code: 2,
    },
  })
})

test('replay --json prints the outcome, and how it goes elsewhere', async () => {
  const { code, stdout, stderr } = await run(['replay', story(held, wrong), '--json'])

  expect(code).toBe(1)
  expect(JSON.parse(stdout)).toMatchObject([
    {
      accepted: false,
      error: null,
      result: {
        title: 'A story',
        held: false,
        steps: [{ outcome: 'held' }, { outcome: 'differed' }],
      },
    },
  ])
  expect(stderr).toContain('1 of 2 steps as expected, 1 differed.')
})

test('replay --json leaves stdout to one document', async () => {
  const { code, stderr } = await run(['replay', story(held), '--json', '--report', 'junit'])

  expect([code, stderr]).toEqual([
    2,
    'Failed to read --report: expected a file for it by --out, beside --json, got "junit".\n',
  ])
})

test('import --json tells what was made of an archive', async () => {
  const out = join(temporaryFolder(), 'story.json')

  const { code, stdout } = await run([
    'import',
    join(root, 'test', 'adapters', 'har', 'archives', 'chromium.har'),
    '--out',
    out,
    '--json',
  ])

  const told = JSON.parse(stdout)
  expect([code, Object.keys(told)]).toEqual([
    0,
    ['out', 'base_url', 'requests', 'left_out', 'warnings'],
  ])
  expect(told.requests).toBe(JSON.parse(readFileSync(out, 'utf8')).steps.length)
})

test('shrink --json tells the sizes before and after', async () => {
  const file = story(held, wrong, held)

  const { code, stdout, stderr } = await run(['shrink', file, '--json'])

  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({
    out: file.replace('.json', '.small.json'),
    before: { steps: 3 },
    after: { steps: 1 },
    minimal: true,
  })
  expect(stderr).toMatch(/after \d+ runs\n/)
})

test('record --json begins with one line, and tells requests on stderr', async () => {
  const out = join(temporaryFolder(), 'story.json')
  const { url: target } = await startServe(['--quiet'])
  const { url, stop } = await startRecord(target, '--out', out, '--json')

  await fetch(`${url}/api/projects/1/annotations/`)
  const { stdout, stderr } = await stop('SIGINT')

  expect(JSON.parse(stdout)).toEqual({ url, target, out, har: null })
  expect(stderr).toMatch(/ 401 GET \/api\/projects\/1\/annotations\/ [\d.]+ ms\n/)
})

const badUses: readonly (readonly [args: string[], code: number, message: string])[] = [
  [['policies', 'nothing', '--json'], 2, 'Failed to list policies: '],
  [['worlds', 'more', '--json'], 2, 'Failed to read the command line: too many arguments'],
  [['serve', '--json', '--port', 'many'], 2, 'Failed to read --port '],
  [['--json', '--prot', '1'], 2, "Failed to read the command line: unknown option '--prot'."],
  [['replay', 'nowhere.json', '--json'], 2, 'nowhere.json not found'],
  [['import', 'nowhere.har', '--out', 'x.json', '--json'], 2, 'nowhere.har not found'],
  [['init', 'nowhere', '--json'], 2, 'Failed to write the worker file: '],
]

test.each(badUses)('%j tells its fault as JSON, and in words', async (args, code, message) => {
  const ended = await run(args)

  const { error } = JSON.parse(ended.stdout)
  expect([ended.code, error.exit_code]).toEqual([code, code])
  expect(error.message.startsWith(message), error.message).toBe(true)
  expect(ended.stderr).toBe(`${error.message}\n`)
})

test('a port that is taken is told as JSON', async () => {
  const { url } = await startServe(['--quiet'])

  const { code, stdout } = await run(['serve', '--json', '--port', new URL(url).port])

  expect(code).toBe(3)
  expect(JSON.parse(stdout).error).toMatchObject({ issues: [], exit_code: 3 })
})
