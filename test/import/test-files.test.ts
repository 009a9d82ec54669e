import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { transform } from 'esbuild'
import { expect, test } from 'vitest'
import { importedAsJson } from '../../src/import/import-file.ts'
import { type TestRunner, testRunners } from '../../src/import/test-files.ts'
import type { Scenario, ScenarioTest, Step } from '../../src/index.ts'
import { temporaryFolder } from '../support/files.ts'
import { archive, entry, exampleOrigin } from '../support/traffic.ts'
import { importNamed, importText } from './import-text.ts'

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
  runner: TestRunner,
  setup: Partial<Scenario> = { clock },
) {
  const folder = temporaryFolder({ 'incident.json': { title: 'An incident', ...setup, steps } })
  const file = join(folder, 'incident.json')
  const imported = await importNamed(file, { runner })
  const [name = ''] = readdirSync(folder).filter((file) => !file.endsWith('.json'))
  return { ...imported, folder, file, name, text: readFileSync(join(folder, name), 'utf8') }
}

/** The title of a test, and what its scenario expects, with the faults. */
async function testOf(steps: readonly Step[]) {
  const { folder, text } = await importSteps(steps, 'node')
  const scenario = JSON.parse(readFileSync(join(folder, 'incident.json'), 'utf8'))
  const [, title] = /^test\('(.*)', \(\) =>$/m.exec(text) ?? []
  return { title, test: scenario.test as ScenarioTest }
}

test('import says what a test is about, and how to run it', async () => {
  const { says, warns, folder, name } = await importSteps([...duplicate, missing], 'vitest')

  expect({ says, warns, name }).toEqual({
    says: `${folder}/incident.test.ts fails, as the recorded client did: Create annotation: response lost after the write, and the retry made a duplicate, and one more failure. Put your client in it, and make it pass.
Another failure: Retrieve annotation: refused with 404.
Run it in ${folder}: npx vitest run incident.test.ts`,
    warns: '',
    name: 'incident.test.ts',
  })
})

test('import counts what other keys sent, and names what failed of it', async () => {
  const other = { ...create, as: 'annotation:read', expect: { status: 403 } }
  const steps = [list, { fault: { ...drop, phase: 'before' } } as const, lost, other]
  const { folder, says } = await importSteps(steps, 'node')
  const request = ({ key = 'phx_mine123456', method = 'GET', response = {} }) => {
    const headers = [{ name: 'authorization', value: `Bearer ${key}` }]
    const postData = { mimeType: 'application/json', text: '{"content":"Mail eve@work.org"}' }
    return entry({ request: { method, headers, ...(method === 'POST' && { postData }) }, response })
  }
  const text = `{"detail":"API key missing required scope 'annotation:write'"}`
  const [failed, refused] = [{ status: 0 }, { status: 403, content: { text } }]
  const har = archive(
    request({}),
    request({ method: 'POST', response: failed }),
    request({ key: 'phx_theirs123456' }),
    request({ key: 'phx_theirs123456', method: 'POST', response: refused }),
  )

  const imported = await importText(har, { runner: 'node', out: `${folder}/har.json` })

  const failure = 'Create annotation: response lost'
  const sentence = `fails, as the recorded client did: ${failure}. Put your client in it, and make it pass.
Another key had a failure, which the test leaves out: Create annotation: refused with 403.`
  expect(says).toMatch(/^left out: 1 with another key\.\n.*incident\.client\.test\.mjs fails/)
  expect(says).toContain(sentence)
  expect(imported.says).toContain(`2 requests to ${exampleOrigin}; left out: 2 with another key.\n`)
  expect(imported.says).toContain(`${sentence}
It has replaced-email-1@example.com where a text was hidden: let your client send that, too.`)
})

test.each(testRunners)('a whole test for %s has at most 15 lines of code', async (runner) => {
  const { text } = await importSteps(duplicate, runner)

  expect(text.match(/^(?!\/\/|#).+$/gm)?.length).toBeLessThanOrEqual(15)
  await expect(text).toMatchFileSnapshot(`./test-files.outline.${runner}.txt`)
})

test('a create that failed may have been carried out, so a test has two phases', async () => {
  const fault = { operation: 'createAnnotation', effect: { status: 502 } } as const

  const { text } = await importSteps([{ fault }, create, missing], 'pytest')

  expect(text).toContain('for phase in ["recorded", "after-commit"]:')
  expect(text).toContain(
    '# Retrieve annotation: refused with 404 → Expected retrieveAnnotation with status 404 exactly 0 times',
  )
})

test('a test of a mistake expects none', async () => {
  const { title, test } = await testOf([...pages, missing])

  expect(title).toBe('Retrieve annotation: refused with 404, and one more failure')
  expect(test.expect.at(-1)).toEqual({
    failure: 'A row came on two pages',
    no_mistake: 'repeated-row',
  })
})

test('a test does not wait for a slow response, and gives a client time that waits as a 429 says', async () => {
  const operation = 'listAnnotations'
  const slow = { fault: { operation, when, effect: { delay_ms: 8_000 } } } as const
  const refusal = { status: 429, headers: { 'retry-after': '60' } }
  const busy = { fault: { operation, when: { skip: 1, times: 2 }, effect: refusal } } as const
  const other = { fault: { operation: 'retrieveAnnotation', when, effect: refusal } } as const
  const steps = [slow, list, busy, list, list, list, list, other, missing, missing]
  const { text, folder } = await importSteps(steps, 'vitest')

  const { test } = JSON.parse(readFileSync(join(folder, 'incident.json'), 'utf8'))
  expect(text).toContain('{ timeout: 210000 }')
  expect(test.faults).toEqual([{ ...busy.fault, when: { skip: 2, times: 2 } }, other.fault])
})

test.each(testRunners)(
  'texts of a recording end neither a string nor a comment of a test for %s',
  async (runner) => {
    const content = `Don't say "it", \\ \`\${process.exit()}\` or\nmore \u2028 """`
    const path = "/api/projects/1/annotations/it's\\/"
    const steps = [{ fault: drop }, { ...lost, body: { content } }, { ...list, path }]
    const { text } = await importSteps(steps, runner)

    if (runner === 'pytest') expect(text.match(/^(?!(#|import|def|\n| {4})).+$/m)).toBeNull()
    else await expect(transform(text, { loader: 'ts' })).resolves.toMatchObject({ warnings: [] })
  },
)

test('the name of a file ends no comment of a test, and is quoted in its command', async () => {
  const name = "it's x\nprocess.exit(1)\n\r\u2028\u2029.json"
  const folder = temporaryFolder({ [name]: { title: 'x', clock, steps: [list] } })

  const { says } = await importNamed(join(folder, name), { runner: 'vitest' })

  const [test = ''] = readdirSync(folder).filter((file) => file !== name)
  const [command = ''] = readFileSync(join(folder, test), 'utf8').split(/[\n\r\u2028\u2029]/)
  const start = `npx vitest run 'it'\\''s x`
  expect(command).toMatch(/^\/\/ .*\\u000aprocess\.exit\(1\)\\u000a\\u000d\\u2028\\u2029\..*'$/)
  expect(command).toContain(start)
  expect(says).toContain(start)
})

test('a test is written beside a copy of the scenario, and never over a changed one', async () => {
  const { file, folder } = await importSteps(duplicate, 'vitest')
  const out = join(folder, 'copy.json')
  const own = join(folder, 'incident.test.ts')
  writeFileSync(join(folder, 'notes.json'), '{}')
  writeFileSync(file, readFileSync(file, 'utf8').replace('"failure": "', '"failure": "Mine: '))
  mkdirSync(join(folder, 'test_incident.py'))

  const copied = await importNamed(file, { runner: 'node', out })
  for (const file of [own, join(folder, 'mine.test.ts')]) writeFileSync(file, '// Mine')
  const refusals = [
    importNamed(file, { runner: 'vitest' }),
    importNamed(file, { runner: 'pytest', out: join(folder, 'notes.json') }),
    importNamed(file, { runner: 'pytest' }),
    importNamed(file, { runner: 'vitest', out: join(folder, 'mine.json') }),
    importNamed(file, { runner: 'vitest', out: join(folder, 'mine.txt') }),
  ].map((refused) => refused.catch(({ message }) => message))

  const title = 'Create annotation: response lost after the write, and the retry made a duplicate'
  expect(importedAsJson(copied)).toEqual({
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
  expect(await Promise.all(refusals)).toEqual([
    `${own} already exists, and may have your changes. Name another scenario, and so its test, with --out other.json, or overwrite it with --force.`,
    expect.stringMatching(/notes\.json already exists/),
    `${folder}/test_incident.py is a folder. Choose a file.`,
    expect.stringMatching(/mine\.test\.ts already exists/),
    expect.stringMatching(/^--out names the scenario, .* Write --out .*mine\.json\.$/),
  ])
  const written = ['test_notes.py', 'mine.json'].filter((name) => existsSync(join(folder, name)))
  expect(written).toEqual([])
  await importNamed(file, { runner: 'vitest', force: true })
  expect(readFileSync(own, 'utf8')).toContain(title)
})

test('import says what a scenario does not need', async () => {
  const { file } = await importSteps(duplicate, 'node')

  await expect(importNamed(file)).rejects.toThrow(
    `${file} is a scenario already. Write a test of it with --as RUNNER.`,
  )
  for (const flag of ['base', 'title', 'keep'])
    await expect(importNamed(file, { runner: 'vitest', [flag]: 'A' })).rejects.toThrow(
      `--${flag} has no effect, because ${file} is a scenario.`,
    )
})

test('import names the steps that a simulator answers otherwise, and notes, which are no failures', async () => {
  const move = { ...create, method: 'PATCH', path: `${path}3/` } as const
  const page = (offset: number) => ({ ...list, path: `${path}?search=p&limit=1&offset=${offset}` })
  const steps = [{ ...list, expect: { status: 404 } }, move, page(0), page(2)]
  const folder = temporaryFolder({ 'my story.json': { title: 'A story', clock, steps } })
  const file = join(folder, 'my story.json')

  const { says, warns } = await importNamed(file, { runner: 'node' })

  expect(says).toMatch(
    /no failure that .*\nA note, .*: The PATCH moved annotation 3 from.*\nA note, .*: The client read \?limit=1&offset=2, and no page that reaches up to it\./,
  )
  expect(warns).toBe(
    `In a simulator 3 of 4 steps passed, 1 failed. See why: npx understudy-api replay '${file}'
steps[0] does not replay as recorded: expected status 404, got 200.`,
  )
})
