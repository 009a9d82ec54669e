import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import type { Scenario } from '../../src/index.ts'
import { findScenarioIssues } from '../../src/scenarios/format/check-scenario.ts'
import { omitPaths, pathsAtDepth } from '../../src/scenarios/shrink/members.ts'
import type { WorldJson } from '../../src/world/world-json.ts'
import { run, startCommand } from '../support/cli/command.ts'
import { temporaryFolder } from '../support/files.ts'

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

test('a shell check finds the file, and every step, row and field that is left is needed', async () => {
  const path = file([write('One'), write('needle'), write('Three')])
  const out = path.replace('run', 'out')
  // Fails while a step has the word and the world has two keys.
  const check = `node -e "
    const file = process.env.UNDERSTUDY_SCENARIO
    const { steps, world } = JSON.parse(require('fs').readFileSync(file))
    const isWrong = process.argv[1] === file && world.keys?.length > 1 && steps.some(({ body }) => body?.content === 'needle')
    process.exit(isWrong ? 5 : 0)" {}`
  const isWrong = ({ steps, world }: Scenario): boolean =>
    ((world as WorldJson).keys?.length ?? 0) > 1 && JSON.stringify(steps).includes('"needle"')

  const { code, stdout } = await run(['shrink', path, '--check', check, '--out', out])

  const small = read(out)
  expect([code, stdout]).toEqual([0, expect.stringContaining('→ 1 step, 3 rows, ')])
  expect(small.steps).toEqual([{ method: 'POST', path: list, body: { content: 'needle' } }])
  // A scenario has at least one step, so the loop leaves out its fields, and the rows.
  for (const place of [2, 3, 4, 5].flatMap((depth) => pathsAtDepth(small, depth))) {
    const smaller = omitPaths(small, [place]) as Scenario
    const isNeeded = findScenarioIssues(smaller).length > 0 || !isWrong(smaller)
    expect([place.join('.'), isNeeded]).toEqual([place.join('.'), true])
  }
})

test('a check that passes, cannot be run, or a file with faults end with 2, and nothing is written', async () => {
  const path = file([write('One')])
  const shrink = (...flags: string[]) => run(['shrink', path, ...flags])

  expect(await shrink()).toEqual({
    code: 2,
    stdout: '',
    stderr:
      'Failed to shrink: expected a scenario whose replay is not as expected, got one that is. Say by --check what is wrong with it.\n',
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
  const { stop } = startCommand(['shrink', path, '--check', check])

  await vi.waitFor(() => expect(existsSync(`${path}.seen`)).toBe(true), 20_000)

  const { code, stdout } = await stop('SIGINT')
  expect(code).toBe(130)
  expect(stdout).toMatch(
    /^\S+run\.json: nothing of 1 step, \d+ rows, \d+ fields was left out, so \S+run\.small\.json was not written, by /,
  )
  expect(readFileSync(small, 'utf8')).toBe('of an earlier run')
})

test('interrupted, it leaves the smallest so far', async () => {
  const path = file(Array.from({ length: 40 }, (_, n) => write(`Row ${n}`)))
  const { printed, stop } = startCommand([
    'shrink',
    path,
    '--check',
    `sleep 0.2; grep -q 'Row 7"' {} && exit 1; exit 0`,
  ])

  await vi.waitFor(() => expect(printed().stderr).toContain('after'), 20_000)

  const { code, stdout } = await stop('SIGINT')
  const small = path.replace('.json', '.small.json')
  expect([code, existsSync(small)]).toEqual([130, true])
  expect(stdout).toContain('It was interrupted: there may be smaller ones.')
  expect(read(small).steps.length).toBeLessThan(40)
  expect(JSON.stringify(read(small).steps)).toContain('Row 7')
})
