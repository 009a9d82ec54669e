import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run } from '../support/cli/command.ts'
import { startRecord } from '../support/cli/record.ts'
import { startServe } from '../support/cli/serve.ts'
import { temporaryFile, temporaryFolder } from '../support/files.ts'
import { root } from '../support/root.ts'

const read = { as: 'all', method: 'GET', path: '/api/projects/1/annotations/' }
const passing = { ...read, expect: { status: 200 } }
const failing = { ...read, expect: { status: 404 } }
const story = (...steps: object[]) => temporaryFile({ title: 'A story', world: 'default', steps })

test('validate --json prints the numbers of rows, or every issue', async () => {
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

test('replay --json prints the results, and the progress on stderr', async () => {
  const { code, stdout, stderr } = await run(['replay', story(passing, failing), '--json'])

  expect(code).toBe(1)
  const steps = [{ outcome: 'passed' }, { outcome: 'failed' }]
  const result = { title: 'A story', passed: false, steps }
  expect(JSON.parse(stdout)).toMatchObject([{ accepted: false, error: null, result }])
  expect(stderr).toMatch(/^ {2}1 of 2 steps .*\n$/m)
})

test('record --json prints one line at the start, and requests on stderr', async () => {
  const out = join(temporaryFolder(), 'story.json')
  const { url: target } = await startServe(['--quiet'])
  const har = out.replace('json', 'har')
  const { url, stop } = await startRecord(target, '--out', out, '--har', har, '--json')

  await fetch(`${url}/api/projects/1/annotations/`)
  const { stdout, stderr } = await stop('SIGINT')
  await expect(fetch(url)).rejects.toThrow('fetch failed')

  expect(JSON.parse(stdout)).toEqual({ url, target, out, har })
  expect(stderr).toMatch(/ 401 GET \/api\/projects\/1\/annotations\/ .* ms\nRecorded 1 request to /)
})

const archive = `${root}test/adapters/har/archives/chromium.har`
const badUses: readonly (readonly [args: string[], code: number, message: string])[] = [
  [['settings', 'nothing', '--json'], 2, 'No setting id contains "nothing".'],
  [['serve', '--json', '--port', 'many'], 2, 'Failed to read --port '],
  [['import', archive, '--json'], 2, '--json requires --out. Without it, the scenario is printed '],
  [['replay', 'nowhere.json', '--json'], 2, 'nowhere.json not found'],
]

test.each(badUses)('%j prints the error as JSON and as text', async (args, code, message) => {
  const result = await run(args)

  const { error } = JSON.parse(result.stdout)
  expect([result.code, error.exit_code]).toEqual([code, code])
  expect(error.message.startsWith(message), error.message).toBe(true)
  expect(result.stderr).toBe(`${error.message}\n`)
})

test.each([
  ['sweep', '--only', 'nothing'],
  ['exec', '--state', 'x.json'],
])('the --json after %j is that of the command that it runs', async (...words) => {
  const { code, stdout } = await run([...words, '--', 'client', '--json'])

  expect([code, stdout]).toEqual([2, ''])
})
