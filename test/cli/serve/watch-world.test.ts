import { renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import defaultWorld from '../../../fixtures/default.json' with { type: 'json' }
import { withoutTimes } from '../../support/cli/output.ts'
import { type Serving, startServe } from '../../support/cli/serve.ts'
import { temporaryFile } from '../../support/files.ts'

const list = '/api/projects/1/annotations/'
const [first, second, ...rest] = defaultWorld.annotations as [Row, Row, ...Row[]]

type Row = (typeof defaultWorld.annotations)[number]

/** The world with some annotations in place of its own. */
function withAnnotations(...annotations: object[]): string {
  return JSON.stringify({ ...defaultWorld, annotations })
}

/** Waits until the log has a text, a number of times. */
function waitForLog(serving: Serving, pattern: RegExp, times = 1): Promise<void> {
  const count = (): number => serving.printed().stderr.match(new RegExp(pattern, 'g'))?.length ?? 0
  return expect.poll(count).toBeGreaterThanOrEqual(times)
}

async function readContents(serving: Serving): Promise<string[]> {
  const { body } = await serving.ask('GET', list)
  return (body as { results: { content: string }[] }).results.map(({ content }) => content)
}

test('the server reloads a changed file, and discards the rows that were written', async () => {
  const file = temporaryFile(withAnnotations(first, second, ...rest))
  const serving = await startServe(['--world', file, '--watch'])
  await serving.ask('PATCH', `${list}1/`, { body: { content: 'Mine' } })
  await serving.ask('POST', list, { body: { content: 'New' } })

  const { atime, mtime } = statSync(file)

  // Editors can save a file by replacing it, also by one of the same time.
  writeFileSync(
    `${file}.new`,
    withAnnotations({ ...first, content: 'Theirs' }, { ...second, content: 'Changed' }, ...rest),
  )
  utimesSync(`${file}.new`, atime, mtime)
  renameSync(`${file}.new`, file)
  await waitForLog(serving, /reloaded/)

  const after = await readContents(serving)
  expect(after).toEqual(expect.arrayContaining(['Theirs', 'Changed']))
  expect(after).not.toContain('New')
  expect(withoutTimes(serving.printed().stderr)).toContain(`\nreloaded ${file}\n`)
  expect(serving.printed().stderr.match(/reloaded/g)).toHaveLength(1)
  expect(serving.printed().stdout).toContain(
    `Changes in ${file} are loaded; rows written since then are discarded.\n`,
  )
})

test('an invalid file is logged and changes nothing, and the next valid one is loaded', async () => {
  const file = temporaryFile(withAnnotations(first))
  const serving = await startServe(['--world', file, '--watch'])

  writeFileSync(file, '{"annotations": [')
  await waitForLog(serving, /not reloaded/)
  writeFileSync(file, withAnnotations({ ...first, scope: 'team' }))
  await waitForLog(serving, /not reloaded/, 2)
  rmSync(file)
  await waitForLog(serving, /not reloaded/, 3)
  const meanwhile = await readContents(serving)
  writeFileSync(file, withAnnotations({ ...first, content: 'Good' }))
  await waitForLog(serving, /reloaded/, 4)

  expect(meanwhile).toEqual([first.content])
  expect(await readContents(serving)).toEqual(['Good'])
  const reports = withoutTimes(serving.printed().stderr).split(/^(?=not reloaded|reloaded)/m)
  const kept = '\n  Keeping the previous world; will retry on the next change.\n'
  expect(reports.filter((report) => report.startsWith('not reloaded'))).toEqual([
    `not reloaded ${file}: ${file} is not valid JSON: it ends in line 1, column 18.${kept}`,
    expect.stringContaining(
      `${file} is not a valid world: 1 problem\n    annotations[0].scope: expected one of`,
    ),
    expect.stringContaining(`World ${file} not found`),
  ])
})

test('a reloaded file is generated with the --seed of the start', async () => {
  const file = temporaryFile({ ...defaultWorld, seed: 7, generate: { annotations: 3 } })
  const serving = await startServe(['--world', file, '--seed', '8', '--watch'])
  const before = await readContents(serving)

  writeFileSync(file, JSON.stringify({ ...defaultWorld, seed: 9, generate: { annotations: 3 } }))
  await waitForLog(serving, /reloaded/)

  expect(await readContents(serving)).toEqual(before)
})

test('with --state, a changed file replaces the saved rows', async () => {
  const file = temporaryFile(withAnnotations(first))
  const state = `${file}.state.json`
  const args = ['--world', file, '--state', state]
  const before = await startServe(args)
  await before.ask('POST', list, { body: { content: 'Saved' } })
  await before.stop('SIGTERM')
  const serving = await startServe([...args, '--watch'])
  const resumed = await readContents(serving)

  writeFileSync(file, withAnnotations({ ...first, content: 'Changed' }))
  await waitForLog(serving, /reloaded/)
  await serving.stop('SIGTERM')

  expect(resumed).toContain('Saved')
  expect(await readContents(await startServe(['--world', 'empty', '--state', state]))).toEqual([
    'Changed',
  ])
})

test('a watching server ends at once, and logs only errors with --quiet', async () => {
  const file = temporaryFile(withAnnotations(first))
  const serving = await startServe(['--world', file, '--watch', '--quiet'])

  writeFileSync(file, withAnnotations({ ...first, content: 'Changed' }))
  await expect.poll(() => readContents(serving)).toEqual(['Changed'])
  writeFileSync(file, '{')
  await waitForLog(serving, /Keeping the previous world/)

  const { code, stderr } = await serving.stop('SIGTERM')
  expect(code).toBe(0)
  expect(stderr).toMatch(
    /^.*JSON.*\nKeeping the previous world; will retry on the next change\.\n$/,
  )
})
