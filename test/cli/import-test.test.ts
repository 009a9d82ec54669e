import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { transform } from 'esbuild'
import { expect, test } from 'vitest'
import type { Scenario, Step } from '../../src/index.ts'
import { run } from '../support/cli/command.ts'
import { badUse } from '../support/cli/output.ts'
import { temporaryFolder } from '../support/files.ts'

const path = '/api/projects/1/annotations/'
const list = { title: 'List annotations', as: 'all', method: 'GET', path } as const
const post = { title: 'Create annotation', as: 'all', method: 'POST', path } as const
const create = { ...post, body: { content: 'Launch' } } as const
const pages = [0, 1].map((offset) => ({ ...list, path: `${path}?limit=2&offset=${offset}` }))
const missing = { ...list, path: `${path}99/` }
const when = { times: 1 } as const
const effect = { drop: true } as const
const drop = { operation: 'createAnnotation', when, phase: 'after-commit', effect } as const
const broken = 'Create annotation: connection broken'
const lost = { ...create, title: broken, expect: { broken: true } } as const

/** A create whose response is lost after 30 seconds, a retry, and a list with the duplicate. */
const duplicate: readonly Step[] = [
  list,
  { fault: { ...drop, effect: { drop: true, delay_ms: 30_000 } } },
  lost,
  { ...create, expect: { status: 201 } },
  list,
]

const clock = '2024-06-15T12:00:00Z'

/** Writes a test of a scenario. Returns its folder, and what was printed. */
async function importSteps(
  steps: readonly Step[],
  runner: string,
  setup: Partial<Scenario> = { clock },
) {
  const folder = temporaryFolder({ 'incident.json': { title: 'An incident', ...setup, steps } })
  const file = join(folder, 'incident.json')
  const result = await run(['import', file, '--as', runner])
  const [name = ''] = readdirSync(folder).filter((file) => file !== 'incident.json')
  return { ...result, folder, file, name, text: name && readFileSync(join(folder, name), 'utf8') }
}

/** The title of a test of node:test, and what it expects, with the failures as comments. */
async function expectationsOf(steps: readonly Step[]): Promise<string[]> {
  const { text } = await importSteps(steps, 'node')
  const [, title = ''] = /^ *test\(['`](.*)['`], \(\) =>$/m.exec(text) ?? []
  const named = title.replace(/ \(\$\{phase\}\)$/, ' in each phase')
  const [, body = ''] = text.split('{ in_place: true })\n')
  const parts = body.match(/\/\/ .*|(?<=verify\()[^)]*|rule === '.*'|(?<='Expected ).*(?=')/g) ?? []
  return [named, ...parts.map((part) => part.replace(/\s+/g, ' ').replace(/,(?= [}\]])/g, ''))]
}

test('import says what a test is about, and how to run it', async () => {
  const { code, stdout, stderr, folder, name } = await importSteps(duplicate, 'vitest')

  expect({ code, stdout, stderr, name }).toEqual({
    code: 0,
    stdout: `${folder}/incident.test.ts fails, as the recorded client did: Create annotation: response lost after the write, and the retry made a duplicate. Put your client in it, and make it pass.
Run it in ${folder}: npx vitest run incident.test.ts
`,
    stderr: '',
    name: 'incident.test.ts',
  })
})

test.each(['vitest', 'playwright', 'pytest', 'node'])('a whole test for %s', async (runner) => {
  const { text } = await importSteps(duplicate, runner)

  await expect(text).toMatchFileSnapshot(`./import-test.outline.${runner}.txt`)
})

test.each(['vitest', 'pytest'])('a whole test for %s of a client mistake', async (runner) => {
  const { text } = await importSteps(pages, runner)

  await expect(text).toMatchFileSnapshot(`./import-test.outline.mistake.${runner}.txt`)
})

test.each([
  ['playwright', 'incident.spec.ts'],
  ['pytest', 'test_incident.py'],
])(
  'a test for %s reads a world with a name, and all that the scenario sets',
  async (runner, name) => {
    const setup = { world: 'odd', seed: 3, profile: 'live', clock } as const
    const { text, ...written } = await importSteps([list], runner, setup)

    expect(written).toMatchObject({ code: 0, name, stderr: '' })
    expect(text).toContain('The test passes. The recorded requests leave no failure.')
    expect(text).toContain(
      runner === 'pytest'
        ? `{"from": "odd", "seed": SCENARIO["seed"], "profile": SCENARIO["profile"], "clock": SCENARIO["clock"]}`
        : '{ world, seed, profile, clock }',
    )
  },
)

test.each<[string, readonly Step[], string[]]>([
  [
    'a lost read, after others',
    [list, { fault: { operation: 'listAnnotations', when, effect } }, list],
    [
      'List annotations: response lost',
      "{ operation: 'listAnnotations', status: '2xx', at_least: 2 }",
    ],
  ],
  [
    'a failure of the server, and a refusal',
    [
      { fault: { operation: 'createAnnotation', effect: { status: 502, body: 'Bad Gateway' } } },
      create,
      missing,
    ],
    [
      'Create annotation: failed with 502, and one more failure in each phase',
      '// Create annotation: failed with 502',
      '1 row of annotations with content "Launch" and deleted false',
      '// Retrieve annotation: refused with 404',
      "{ operation: 'retrieveAnnotation', status: 404, count: 0 }",
    ],
  ],
  [
    'a refusal, and a mistake',
    [...pages, missing],
    [
      'Retrieve annotation: refused with 404, and one more failure',
      '// Retrieve annotation: refused with 404',
      "{ operation: 'retrieveAnnotation', status: 404, count: 0 }",
      '// client mistake: repeated row',
      "rule === 'repeated-row'",
    ],
  ],
])('a test expects what should have been: %s', async (_, steps, expected) => {
  expect(await expectationsOf(steps)).toEqual(expected)
})

test('a test does not wait for a slow response, and gives a client time that waits as a 429 says', async () => {
  const operation = 'listAnnotations'
  const slow = { fault: { operation, when, effect: { delay_ms: 8_000 } } } as const
  const refusal = { status: 429, headers: { 'retry-after': '60' } }
  const busy = { fault: { operation, when: { skip: 1, times: 2 }, effect: refusal } } as const
  const { text } = await importSteps([slow, list, busy, list, list, list, list], 'vitest')

  expect(text).not.toContain('delay_ms')
  expect(text).toContain('{ timeout: 150000 }')
  expect(text).toContain("'retry-after': '60'")
  expect(text).toContain('when: { skip: 2, times: 2 }')
})

test('a test of requests without a key names no key', async () => {
  const { as: _, ...anonymous } = { ...list, expect: { status: 401 } }
  const { text } = await importSteps([anonymous], 'vitest')

  expect(text).toContain('it can use any base URL. These are')
})

test('texts of a recording end neither a string nor a comment', async () => {
  const code = `\`\${process.exit()}\``
  const title = `List */ 'it'\n${code} \\ \u2028 """`
  const { text } = await importSteps([{ ...list, title }], 'vitest', { title: 'x' })

  expect(text).toContain(`//   1. List */ 'it' ${code} \\   """`)
  expect(text.match(/^(?!(\/\/|import|const|test|}| {2})).+$/m)).toBeNull()
})

test.each(['vitest', 'playwright', 'node'])(
  'texts with quotes, backslashes and line breaks are texts in a test for %s',
  async (runner) => {
    const content = `Don't say "it", \\ \`\${x}\` or\nmore`
    const { text } = await importSteps([{ fault: drop }, { ...lost, body: { content } }], runner)

    await expect(transform(text, { loader: 'ts' })).resolves.toMatchObject({ warnings: [] })
    expect(text).toContain(`'Don\\'t say "it", `)
  },
)

test('texts with quotes, backslashes and line breaks are texts in a test for pytest', async () => {
  const content = `Don't say "it", \\ or\nmore`
  const { text } = await importSteps([{ fault: drop }, { ...lost, body: { content } }], 'pytest')

  expect(text).toContain(String.raw`"Don't say \"it\", \\ or\nmore"`)
})

test('the name of a file ends no comment of a test, and is quoted in its command', async () => {
  const name = "it's x\nprocess.exit(1)\n\r\u2028\u2029.json"
  const folder = temporaryFolder({ [name]: { title: 'x', clock, steps: [list] } })

  const { stdout } = await run(['import', join(folder, name), '--as', 'vitest'])

  const [test = ''] = readdirSync(folder).filter((file) => file !== name)
  const [, command = ''] = readFileSync(join(folder, test), 'utf8').split(/[\n\r\u2028\u2029]/)
  const start = `npx vitest run 'it'\\''s x`
  expect(command).toMatch(/^\/\/ .*\\u000aprocess\.exit\(1\)\\u000a\\u000d\\u2028\\u2029\..*'$/)
  expect(command).toContain(start)
  expect(stdout).toContain(start)
})

test('a test is written beside a copy of the scenario, and never over a changed one', async () => {
  const { file, folder } = await importSteps(duplicate, 'vitest')
  const out = join(folder, 'copy.json')

  const copied = await run(['import', file, '--as', 'node', '--out', out, '--json'])
  writeFileSync(join(folder, 'incident.test.ts'), '// Mine')
  const again = await run(['import', file, '--as', 'vitest'])
  writeFileSync(join(folder, 'notes.json'), '{}')
  const other = await run(['import', file, '--as', 'pytest', '--out', join(folder, 'notes.json')])
  const forced = await run(['import', file, '--as', 'vitest', '--force'])

  const title = 'Create annotation: response lost after the write, and the retry made a duplicate'
  expect(JSON.parse(copied.stdout)).toEqual({
    out,
    test: {
      file: join(folder, 'copy.test.mjs'),
      command: 'node --test copy.test.mjs',
      title,
      failures: [title],
      replays: true,
    },
  })
  expect(readFileSync(out, 'utf8')).toBe(readFileSync(file, 'utf8'))
  expect(again).toEqual(
    badUse(
      `${folder}/incident.test.ts already exists, and may have your changes. Name another scenario, and so its test, with --out other.json, or overwrite it with --force.\n`,
    ),
  )
  expect(other).toEqual(badUse(expect.stringMatching(/notes\.json already exists/)))
  expect(existsSync(join(folder, 'test_notes.py'))).toBe(false)
  expect(forced.code).toBe(0)
  expect(readFileSync(join(folder, 'incident.test.ts'), 'utf8')).toContain(title)
})

test('import says what a scenario does not need', async () => {
  const { file } = await importSteps(duplicate, 'node')

  expect(await run(['import', file])).toEqual(
    badUse(`${file} is a scenario already. Write a test of it with --as RUNNER.\n`),
  )
  expect(await run(['import', file, '--as', 'vitest', '--title', 'A'])).toEqual(
    badUse(`--title has no effect, because ${file} is a scenario.\n`),
  )
})

test('import names the steps that a simulator answers otherwise', async () => {
  const steps = [{ ...list, expect: { status: 404 } }]
  const folder = temporaryFolder({ 'my story.json': { title: 'A story', clock, steps } })
  const file = join(folder, 'my story.json')

  const { code, stdout, stderr } = await run(['import', file, '--as', 'node'])

  expect(code).toBe(0)
  expect(stdout).toContain('No failure shows, but the recorded requests do not replay as recorded')
  expect(stderr).toBe(
    `In a simulator 0 of 1 steps passed, 1 failed (1). See why: npx understudy-api replay '${file}'
steps[0] does not replay as recorded: expected status 404, got 200.
`,
  )
})
