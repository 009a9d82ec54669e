import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run } from '../support/cli/command.ts'
import { temporaryFolder } from '../support/files.ts'

const list = { as: 'all', method: 'GET', path: '/api/projects/1/annotations/' }
const create = { ...list, method: 'POST', body: { content: 'Launch' } }

/** A scenario whose second step fails: the list has seven rows. */
const story = {
  title: 'A launch',
  world: 'default',
  clock: '2024-06-15T12:00:00Z',
  steps: [
    { title: 'create', ...create, expect: { status: 201 } },
    { title: 'list', ...list, expect: { status: 200, body: { count: 8 } } },
  ],
}

/** Replays scenarios in a new folder, and returns the paths of the first one and of the receipt. */
async function createReceipt(scenario: object, ...flags: string[]) {
  const folder = temporaryFolder({ 'story.json': scenario })
  const [file, receipt] = [join(folder, 'story.json'), join(folder, 'receipt.json')]
  const { stderr } = await run(['replay', file, '--receipt', receipt, ...flags])
  return { file, receipt, stderr, text: () => readFileSync(receipt, 'utf8') }
}

test('a receipt has the hashes of the scenario and its world, and the outcome of each step', async () => {
  const { file, receipt, text } = await createReceipt(story)
  const sha256 = expect.stringMatching(/^[\da-f]{64}$/)

  expect(JSON.parse(text())).toEqual({
    format_version: 1,
    understudy: '0.1.0',
    command: `npx understudy-api replay ${file} --receipt ${receipt}`,
    settings: {},
    runs: [
      {
        scenario: { file: 'story.json', sha256 },
        world: { sha256 },
        outcome: {
          passed: 1,
          failed: 1,
          skipped: 0,
          differences: [
            { step: 2, title: 'list', outcome: 'failed', status: 200, where: ['body.count'] },
          ],
          sha256,
        },
      },
    ],
  })
})

test('replay says where the receipt, the report and the archive are', async () => {
  const folder = temporaryFolder({ 'story.json': story })
  const names = ['receipt.json', 'report.json', 'archive.har']
  const [receipt = '', report = '', har = ''] = names.map((name) => join(folder, name))
  const flags = ['--receipt', receipt, '--report', 'json', '--out', report, '--har', har]

  const { stderr } = await run(['replay', join(folder, 'story.json'), ...flags])

  expect(stderr).toBe(
    `The report is in ${report}.\nThe archive is in ${har}.\nThe receipt is in ${receipt}.\n`,
  )
})

test('the same replay gives the same receipt, also with a clock that runs', async () => {
  const { clock: _, ...running } = story
  const { file, receipt, text } = await createReceipt(running, '--profile', 'live')
  const first = text()

  await run(['replay', file, '--receipt', receipt, '--profile', 'live'])

  expect(text()).toBe(first)
  expect(await run(['verify', receipt])).toEqual({
    code: 0,
    stdout: `${file}: equal, 1 of 2 steps passed.\n`,
    stderr: '',
  })
})

test('verify names a changed scenario, a changed world and each step with another outcome', async () => {
  const { file, receipt } = await createReceipt(story)
  const changed = { ...story, world: 'empty', steps: [story.steps[1], story.steps[0]] }
  writeFileSync(file, JSON.stringify(changed))

  const { code, stdout } = await run(['verify', receipt, '--json'])

  expect(code).toBe(1)
  expect(JSON.parse(stdout)).toMatchObject({
    equal: false,
    version: { before: '0.1.0', now: '0.1.0' },
    runs: [
      {
        differences: [
          'The scenario file has changed.',
          'The world has changed.',
          'Step 1, list: passed then, failed with 200 (body.count) now.',
          'Step 2, list: failed with 200 (body.count) then, passed now.',
        ],
      },
    ],
  })
})

test('with a frozen clock a changed body counts, and another version is named', async () => {
  const { receipt, text } = await createReceipt(story)
  const read = JSON.parse(text())
  read.runs[0].outcome.sha256 = '0'.repeat(64)
  writeFileSync(receipt, JSON.stringify({ ...read, understudy: '0.0.9' }))

  const { code, stdout } = await run(['verify', receipt])

  expect(code).toBe(1)
  expect(stdout.split('\n').slice(1)).toEqual([
    '  The responses differ.',
    'The receipt is of understudy-api 0.0.9. This is 0.1.0.',
    '',
  ])
})

const failed = { step: 2, title: 'list', outcome: 'failed', status: 200, where: ['body.count'] }

test.each([
  [{ passed: 2 }, 'The receipt lists other steps: 2 passed, 1 failed and 0 skipped then'],
  [{ failed: 0 }, 'The receipt lists other steps: 1 passed, 0 failed and 0 skipped then'],
  [{ skipped: 3 }, 'The receipt lists other steps: 1 passed, 1 failed and 3 skipped then'],
  [{ differences: [] }, 'Step 2, list: passed then, failed with 200 (body.count) now.'],
  [
    { passed: 2, failed: 0, differences: [] },
    'Step 2, list: passed then, failed with 200 (body.count) now.',
  ],
  [{ differences: [{ ...failed, status: 500 }, failed] }, 'The receipt lists other steps'],
  [
    { differences: [{ ...failed, title: 'lost' }] },
    'Step 2, list: its title was "lost" then, and is "list" now.',
  ],
])('verify notices an edited outcome whose hash was left: %j', async (edit, message) => {
  const { receipt, text } = await createReceipt(story)
  const read = JSON.parse(text())
  Object.assign(read.runs[0].outcome, edit)
  writeFileSync(receipt, JSON.stringify(read))

  const { code, stdout } = await run(['verify', receipt])

  expect(code).toBe(1)
  expect(stdout).toContain(`differs, 1 of 2 steps passed.\n  ${message}`)
})

test('a receipt forges no line, and no colour, of what verify prints', async () => {
  const { receipt, text } = await createReceipt(story)
  const read = JSON.parse(text())
  const forged = 'x\nforged\u001b[32m'
  read.understudy = forged
  read.runs[0].outcome.differences.push({ ...failed, step: 9, title: forged, where: [forged] })
  writeFileSync(receipt, JSON.stringify(read))
  const { stdout } = await run(['verify', receipt])
  read.runs[0].scenario.file = forged
  writeFileSync(receipt, JSON.stringify(read))
  const { stderr } = await run(['verify', receipt])

  expect(stdout.split('\n').slice(1)).toEqual([
    '  Step 9, x\\u000aforged\\u001b[32m: failed with 200 (x\\u000aforged\\u001b[32m) then, passed now.',
    'The receipt is of understudy-api x\\u000aforged\\u001b[32m. This is 0.1.0.',
    '',
  ])
  expect(stderr).toMatch(/^.*x\\u000aforged\\u001b\[32m not found\.\n$/)
})

test('verify refuses an invalid receipt, and names its fields', async () => {
  const { receipt, text } = await createReceipt(story)
  const read = JSON.parse(text())
  read.runs[0].scenario.sha256 = 'abc'
  read.runs[0].outcme = read.runs[0].outcome
  writeFileSync(receipt, JSON.stringify(read))

  const { code, stdout, stderr } = await run(['verify', receipt])

  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toBe(
    `${receipt} is not a valid receipt. npx understudy-api replay FILE --receipt RECEIPT writes one.\n` +
      '  runs[0]: unknown field "outcme". Did you mean "outcome"?\n' +
      '  runs[0].scenario.sha256: expected a SHA-256 hash as 64 hexadecimal digits, got "abc"\n',
  )
})

test('verify refuses a file that is none, and a receipt whose scenario is missing', async () => {
  const { file, receipt, text } = await createReceipt(story)
  const missing = text().replaceAll('story.json', 'gone.json')
  const other = join(receipt, '../other.json')
  writeFileSync(other, missing)

  expect(await run(['verify', file])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('expected format_version and runs'),
  })
  expect(await run(['verify', other])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/gone\.json not found/),
  })
})

test('a receipt overwrites neither its scenario nor a foreign file', async () => {
  const { file, receipt } = await createReceipt(story)
  const notes = join(receipt, '../notes.json')
  writeFileSync(notes, '{}')

  const own = await run(['replay', file, '--receipt', file, '--force'])
  const twice = await run(['replay', file, '--receipt', receipt, '--har', receipt])
  const foreign = await run(['replay', file, '--receipt', notes])
  const forced = await run(['replay', file, '--receipt', notes, '--force'])

  const refused = { code: 2, stdout: '' }
  expect(own).toEqual({
    ...refused,
    stderr: `--receipt names ${file}, which the command reads. Choose another file.\n`,
  })
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(story)
  expect(twice).toEqual({
    ...refused,
    stderr: `--receipt and --har name the same file, ${receipt}. Choose two files.\n`,
  })
  expect(foreign).toEqual({
    ...refused,
    stderr: `${notes} already exists, and is not a receipt. Choose another name with --receipt, or overwrite it with --force.\n`,
  })
  expect(forced.code).toBe(1)
  expect(JSON.parse(readFileSync(notes, 'utf8'))).toHaveProperty('runs')
})

test('a receipt is not written for another server', async () => {
  const { stderr } = await createReceipt(story, '--target', 'http://127.0.0.1:1')

  expect(stderr).toMatch(/--receipt <file>" cannot be used with option "--target <url>"/)
})
