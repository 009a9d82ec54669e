import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Scenario } from '../../src/index.ts'
import { findScenarioIssues } from '../../src/scenarios/format/check-scenario.ts'
import { omitPaths, pathsAtDepth } from '../../src/scenarios/shrink/shrink.ts'
import type { WorldJson } from '../../src/world/world-json.ts'
import { run, startCommand } from '../support/cli/command.ts'
import { temporaryFolder } from '../support/files.ts'

const list = '/api/projects/1/annotations/'
const write = (content: string) => ({ as: 'all', method: 'POST', path: list, body: { content } })
const failing = { as: 'all', method: 'GET', path: list, expect: { body: { count: 9 } } }

/** Writes a scenario file in a folder of its own. */
function writeStory(steps: unknown, world: unknown = 'default'): string {
  const path = `${temporaryFolder()}/run.json`
  writeFileSync(path, JSON.stringify({ title: 'A run', world, steps }))
  return path
}

const read = (path: string): Scenario => JSON.parse(readFileSync(path, 'utf8'))

test('shrink reduces a failing replay, and does not change the file', async () => {
  const path = writeStory([write('One'), write('Two'), failing])
  const before = readFileSync(path, 'utf8')

  const { code, stdout, stderr } = await run(['shrink', path])

  const small = path.replace('.json', '.small.json')
  expect(code).toBe(0)
  expect(stdout).toMatch(
    /^\S+\.small\.json: 3 steps, \d+ rows, \d+ fields → 1 step, 4 rows, \d+ fields\. The check ran \d+ times in [\d.]+ s\. \d+ candidates were not valid scenarios\.\n$/,
  )
  expect(stderr).toMatch(/^ {2}1 step, \d+ rows, \d+ fields after 1 run\n/)
  expect(read(small).steps).toEqual([failing])
  expect(readFileSync(path, 'utf8')).toBe(before)
  expect(await run(['replay', small])).toMatchObject({ code: 1 })
})

test('a shell check finds the file, and every step, row and field that is left is needed', async () => {
  const path = writeStory([write('One'), write('needle'), write('Three')])
  const out = path.replace('run', 'out')
  // Fails while a step has the word and the world has two keys.
  const check = `test "$UNDERSTUDY_SCENARIO" = {} || exit 0; grep -q '"needle"' {} || exit 0; test $(grep -o '"value":' {} | wc -l) -lt 2`
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

test('shrink ends with 2 for a check that passes or cannot be run, and for an invalid file', async () => {
  const path = writeStory([write('One')])
  const shrink = (...flags: string[]) => run(['shrink', path, ...flags])

  expect(await shrink()).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/--check/),
  })
  expect(await shrink('--check', 'true')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('The check passes for the whole scenario: true.'),
  })
  expect(await shrink('--check', 'no-such-command {}')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('The check cannot be run (exit code 127): no-such-command {}.'),
  })
  expect(await shrink('--check', 'false', '--out', '/nowhere/small.json')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(
      '\nFailed to write /nowhere/small.json: its folder does not exist (ENOENT).\n',
    ),
  })
  expect(await run(['shrink', writeStory([{ method: 'GET' }])])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('steps[0].path: '),
  })
  expect(readdirSync(path.replace('/run.json', ''))).toEqual(['run.json'])
})

/** A shell command that does not end. */
const endless = "exec node -e 'setInterval(() => {}, 1000)'"

test('if nothing is left out, shrink does not overwrite an earlier result', async () => {
  const path = writeStory([failing])
  const small = path.replace('.json', '.small.json')
  writeFileSync(small, 'earlier result')
  // Fails for the whole scenario, and then does not end.
  const check = `test -e ${path}.seen && touch ${path}.again && ${endless}; touch ${path}.seen; exit 1`
  const { stop } = startCommand(['shrink', path, '--check', check])

  await expect.poll(() => existsSync(`${path}.again`)).toBe(true)

  const { code, stdout } = await stop('SIGINT')
  expect(code).toBe(130)
  expect(stdout).toMatch(
    /^\S+run\.json: nothing was left out of 1 step, \d+ rows, \d+ fields\. \S+run\.small\.json was not written\. The check ran /,
  )
  expect(readFileSync(small, 'utf8')).toBe('earlier result')
})

test.each(['SIGINT', 'SIGTERM'] as const)(
  'shrink writes the smallest scenario so far on %s',
  async (signal) => {
    const path = writeStory(Array.from({ length: 40 }, (_, n) => write(`Row ${n}`)))
    const seen = `${path}.seen`
    // Fails for the whole scenario and for one that is smaller, and then does not end.
    const check = `grep -q 'Row 7"' {} || exit 0; echo >> ${seen}; test $(wc -l < ${seen}) -lt 3 && exit 1; ${endless}`
    const { stop } = startCommand(['shrink', path, '--check', check])

    await expect.poll(() => existsSync(seen) && readFileSync(seen, 'utf8')).toBe('\n\n\n')

    const { code, stdout } = await stop(signal)
    const small = path.replace('.json', '.small.json')
    expect([code, existsSync(small)]).toEqual([130, true])
    expect(stdout).toContain('The command was interrupted: smaller results may exist.')
    expect(read(small).steps.length).toBeLessThan(40)
    expect(JSON.stringify(read(small).steps)).toContain('Row 7')
  },
)
