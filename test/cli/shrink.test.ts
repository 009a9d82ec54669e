import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import defaultWorld from '../../fixtures/default.json' with { type: 'json' }
import { createSimulator, type FaultRequest, type Scenario } from '../../src/index.ts'
import { findScenarioIssues } from '../../src/scenarios/format/check-scenario.ts'
import { omitPaths, pathsAtDepth } from '../../src/scenarios/shrink/shrink.ts'
import type { WorldJson } from '../../src/world/world-json.ts'
import { run, startCommand } from '../support/cli/command.ts'
import { temporaryFolder } from '../support/files.ts'

/** Four rows of the world `default`. Shrinking tries to leave out each row and each of its fields. */
const fewRows = {
  organizations: defaultWorld.organizations,
  projects: defaultWorld.projects.slice(0, 1),
  users: defaultWorld.users.slice(0, 1),
  keys: defaultWorld.keys.filter(({ label }) => label === 'all'),
}

const list = '/api/projects/1/annotations/'
const write = (content: string) => ({ as: 'all', method: 'POST', path: list, body: { content } })
const failing = { as: 'all', method: 'GET', path: list, expect: { body: { count: 9 } } }

/** Writes a scenario file in a folder of its own. */
function writeStory(steps: unknown, world: unknown = fewRows): string {
  const path = `${temporaryFolder()}/run.json`
  writeFileSync(path, JSON.stringify({ title: 'A run', world, steps }))
  return path
}

const read = (path: string): Scenario => JSON.parse(readFileSync(path, 'utf8'))

test('shrink keeps the failure of a replay, and does not change the file', async () => {
  const path = writeStory([write('One'), { advance: { hours: 1 } }, write('Two'), failing])
  const before = readFileSync(path, 'utf8')

  const { code, stdout, stderr } = await run(['shrink', path])

  const small = path.replace('.json', '.small.json')
  expect(code).toBe(0)
  expect(stdout).toMatch(
    /^\S+\.small\.json: 4 steps, \d+ rows, \d+ fields → 3 steps, \d+ rows, \d+ fields\. The check ran \d+ times in [\d.]+ s\. \d+ candidates were not valid scenarios\.\n$/,
  )
  expect(stderr).toMatch(
    /^ {2}Kept: step 4 \(GET \/api\/projects\/1\/annotations\/\): body\.count: expected 9, got 2\n {2}3 steps, /,
  )
  expect(read(small).steps).toEqual([
    { as: 'all', method: 'POST', path: list },
    { as: 'all', method: 'POST', path: list },
    failing,
  ])
  expect(readFileSync(path, 'utf8')).toBe(before)
  const { code: again, stdout: result } = await run(['replay', small])
  expect([again, result.match(/ {6}\S.*\n.*\n.*/)?.[0]]).toEqual([1, expect.any(String)])
  expect(result).toMatch(/body\.count\n\s+expected 9\n\s+got\s+2/)
})

test('a body that is compared as a whole is narrowed to what differs', async () => {
  const wrong = { count: 5, next: null, previous: null, results: [] }
  const path = writeStory([
    write('One'),
    { ...failing, query: { search: 'One' }, expect: { status: 200, exact_body: { ...wrong } } },
  ])

  await run(['shrink', path])

  expect(read(path.replace('.json', '.small.json')).steps).toEqual([
    { as: 'all', method: 'POST', path: list },
    { ...failing, expect: { body: { count: 5 } } },
  ])
})

/** A create whose response is lost, a retry, and the list with the duplicate. Every step passes. */
const incident = [
  { as: 'all', method: 'GET', path: list, expect: { status: 200 } },
  {
    fault: {
      operation: 'createAnnotation',
      when: { times: 1 },
      phase: 'after-commit',
      effect: { drop: true },
    },
  },
  { ...write('Launch'), expect: { broken: true } },
  { advance: { seconds: 30 } },
  { ...write('Launch'), expect: { status: 201 } },
  {
    as: 'all',
    method: 'GET',
    path: list,
    query: { search: 'Launch' },
    expect: { body: { count: 2 } },
  },
]

test('an incident without a failing step keeps what went wrong', async () => {
  const path = writeStory(incident)

  const { stdout, stderr } = await run(['shrink', path, '--json'])

  const kept = 'Create annotation: response lost after the write, and the retry made a duplicate'
  const small = read(path.replace('.json', '.small.json'))
  expect(JSON.parse(stdout)).toMatchObject({ kept, after: { steps: 3 }, minimal: true })
  expect(stderr).toContain(`  Kept: ${kept}\n`)
  expect(small.steps.map((step) => Object.keys(step)[0])).toEqual(['fault', 'as', 'as'])
  const simulator = createSimulator({ world: small.world as WorldJson })
  const rows = simulator.world.annotations.count
  simulator.faults.add((small.steps[0] as { fault: FaultRequest }).fault)
  await simulator.replay(small, { in_place: true })
  expect(simulator.world.annotations.count - rows).toBe(2)
})

test('the duplicate of an incident is still counted', async () => {
  const count = { body: { count: 1 } }
  const path = writeStory([...incident.slice(0, -1), { ...incident[5], expect: count }])

  const { stderr } = await run(['shrink', path])

  const small = read(path.replace('.json', '.small.json'))
  expect(stderr).toContain('body.count: expected 1, got 2\n')
  expect(small.steps).toEqual([
    { as: 'all', method: 'POST', path: list },
    { as: 'all', method: 'POST', path: list },
    { as: 'all', method: 'GET', path: list, expect: count },
  ])
})

test('a shell check finds the file, and every step, row and field that is left is needed', async () => {
  const path = writeStory([write('One'), write('needle'), write('Three')], 'default')
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
    stderr:
      '--out names /nowhere/small.json, but the folder /nowhere does not exist. Create the folder, or choose another file.\n',
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
