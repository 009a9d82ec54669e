import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { afterAll, expect, test, vi } from 'vitest'
import type { Scenario } from '../../src/index.ts'
import { findScenarioIssues } from '../../src/scenarios/format/check-scenario.ts'
import { omitPaths, pathsAtDepth } from '../../src/scenarios/shrink/shrink.ts'
import { outputOf, run, startCommand, waitForExit } from '../support/cli/command.ts'
import { temporaryFolder } from '../support/files.ts'

// Each test starts processes, and machines are busy.
vi.setConfig({ testTimeout: 60_000 })
afterAll(() => vi.resetConfig())

const list = '/api/projects/1/annotations/'
const write = (content: string) => ({ as: 'all', method: 'POST', path: list, body: { content } })
const wrong = { as: 'all', method: 'GET', path: list, expect: { body: { count: 9 } } }

/** A file with a scenario of these steps, in a folder of its own. */
function file(steps: unknown, world: unknown = 'default'): string {
  const path = `${temporaryFolder()}/run.json`
  writeFileSync(path, JSON.stringify({ title: 'A run', world, steps }))
  return path
}

const read = (path: string): Scenario => JSON.parse(readFileSync(path, 'utf8'))

test('a replay that differs is made small, and the file stays as it is', async () => {
  const path = file([write('One'), write('Two'), wrong])
  const before = readFileSync(path, 'utf8')

  const { code, stdout, stderr } = await run(['shrink', path])

  const small = path.replace('.json', '.small.json')
  expect(code).toBe(0)
  expect(stdout).toMatch(
    /^\S+\.small\.json: 3 steps, \d+ rows, \d+ fields → 1 step, 4 rows, \d+ fields, by \d+ runs of the check in [\d.]+ s; \d+ candidates were no scenarios\.\n$/,
  )
  expect(stderr).toMatch(/^ {2}1 step, \d+ rows, \d+ fields after \d+ runs\n/)
  expect(read(small).steps).toEqual([wrong])
  expect(readFileSync(path, 'utf8')).toBe(before)
  expect(await run(['replay', small])).toMatchObject({ code: 1 })
})

test('a check of the shell finds the file, and of what is left each step, row and field is needed', async () => {
  const path = file([write('One'), write('needle'), write('Three')])
  const out = path.replace('run', 'out')
  // Fails while a step says it, and the world has a key.
  const check = `node -e "
    const file = process.env.UNDERSTUDY_SCENARIO
    const { steps, world } = JSON.parse(require('fs').readFileSync(file))
    const isWrong = process.argv[1] === file && world.keys?.length > 1 && steps.some(({ body }) => body?.content === 'needle')
    process.exit(isWrong ? 5 : 0)" {}`

  const { code, stdout } = await run(['shrink', path, '--check', check, '--out', out])

  const small = read(out)
  expect([code, stdout]).toEqual([0, expect.stringContaining('→ 1 step, 3 rows, ')])
  expect(small.steps).toEqual([{ method: 'POST', path: list, body: { content: 'needle' } }])
  // One step is a scenario's least: it is its fields that are tried, and the rows.
  const places = [2, 3, 4, 5].flatMap((depth) => pathsAtDepth(small, depth))
  for (const place of places) {
    const one = path.replace('run', 'one')
    const smaller = omitPaths(small, [place])
    writeFileSync(one, JSON.stringify(smaller))
    const isNone = findScenarioIssues(smaller).length > 0
    const env = { ...process.env, UNDERSTUDY_SCENARIO: one }
    const { status } = spawnSync('sh', ['-c', check.replace('{}', one)], { env })
    expect([place.join('.'), isNone || status === 0]).toEqual([place.join('.'), true])
  }
})

test('a check that passes, cannot be run, or a file with faults end with 2, and nothing is written', async () => {
  const path = file([write('One')])
  const shrink = (...flags: string[]) => run(['shrink', path, ...flags])

  expect(await shrink()).toEqual({
    code: 2,
    stdout: '',
    stderr:
      'Failed to shrink: every step of the replay passes, so there is no failure to keep. Describe the problem with --check.\n',
  })
  expect(await shrink('--check', 'true')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('expected a check that fails for the whole scenario'),
  })
  expect(await shrink('--check', 'no-such-command {}')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('got "no-such-command {}" (127)'),
  })
  expect(await shrink('--check', 'false', '--out', '/nowhere/small.json')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Failed to write /nowhere/small.json: '),
  })
  expect(await run(['shrink', file([{ method: 'GET' }])])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('steps[0].path: '),
  })
  expect(readdirSync(path.replace('/run.json', ''))).toEqual(['run.json'])
})

test('where nothing was left out nothing is written: what is there stays', async () => {
  const path = file([wrong])
  const small = path.replace('.json', '.small.json')
  writeFileSync(small, 'of an earlier run')
  const never = "node -e 'setInterval(() => {}, 1000)'"
  // Fails for the whole, and then takes longer than anybody waits.
  const check = `test -e ${path}.seen && ${never}; touch ${path}.seen; exit 1`
  const child = startCommand(['shrink', path, '--check', check])
  const end = waitForExit(child)

  await vi.waitFor(() => expect(existsSync(`${path}.seen`)).toBe(true), 20_000)
  child.kill('SIGINT')

  const { code, stdout } = await end
  expect(code).toBe(130)
  expect(stdout).toMatch(
    /^\S+run\.json: nothing of 1 step, \d+ rows, \d+ fields was left out, so \S+run\.small\.json was not written, by /,
  )
  expect(readFileSync(small, 'utf8')).toBe('of an earlier run')
})

test('interrupted, it leaves the smallest so far', async () => {
  const path = file(Array.from({ length: 40 }, (_, n) => write(`Row ${n}`)))
  const child = startCommand([
    'shrink',
    path,
    '--check',
    `sleep 0.2; grep -q 'Row 7"' {} && exit 1; exit 0`,
  ])
  const end = waitForExit(child)

  await vi.waitFor(() => expect(outputOf(child).stderr).toContain('after'), 20_000)
  child.kill('SIGINT')

  const { code, stdout } = await end
  const small = path.replace('.json', '.small.json')
  expect([code, existsSync(small)]).toEqual([130, true])
  expect(stdout).toContain('It was interrupted: there may be smaller ones.')
  expect(read(small).steps.length).toBeLessThan(40)
  expect(JSON.stringify(read(small).steps)).toContain('Row 7')
})
