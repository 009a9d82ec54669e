import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import defaultWorld from '../../../fixtures/default.json' with { type: 'json' }
import { run } from '../../support/cli/command.ts'
import { withoutTimes } from '../../support/cli/output.ts'
import { type Serving, startServe } from '../../support/cli/serve.ts'
import { temporaryFile } from '../../support/files.ts'

const list = '/api/projects/1/annotations/'
const headers = { authorization: 'Bearer phx_all', 'content-type': 'application/json' }
const [first, second, ...rest] = defaultWorld.annotations as [Row, Row, ...Row[]]

type Row = (typeof defaultWorld.annotations)[number]

/** The world with some annotations in place of its own. */
function withAnnotations(...annotations: object[]): string {
  return JSON.stringify({ ...defaultWorld, annotations })
}

/** Waits until the log tells so often of something. */
function told(serving: Serving, what: RegExp, times = 1): Promise<unknown> {
  const count = (): number => serving.printed().stderr.match(new RegExp(what, 'g'))?.length ?? 0
  return vi.waitUntil(() => count() >= times, { timeout: 10_000 })
}

async function contents({ url }: Serving): Promise<string[]> {
  const page = await (await fetch(url + list, { headers })).json()
  return page.results.map(({ content }: { content: string }) => content)
}

test('the server reloads a changed file, and logs the written rows that it discards', async () => {
  const file = temporaryFile(withAnnotations(first, second, ...rest))
  const serving = await startServe(['--data', file, '--watch'])
  const write = (path: string, method: string, body: object): Promise<Response> =>
    fetch(serving.url + list + path, { method, headers, body: JSON.stringify(body) })
  await write('1/', 'PATCH', { content: 'Mine' })
  await write('', 'POST', { content: 'New' })

  writeFileSync(
    file,
    withAnnotations({ ...first, content: 'Theirs' }, { ...second, content: 'Changed' }, ...rest),
  )
  await told(serving, /reloaded/)

  const after = await contents(serving)
  expect(after).toEqual(expect.arrayContaining(['Theirs', 'Changed']))
  expect(after).not.toContain('New')
  expect(withoutTimes(serving.printed().stderr)).toContain(
    `\nreloaded ${file}: annotations: 2 changed; discarded writes: annotations 1, 9\n`,
  )
  expect(serving.printed().stdout).toContain(
    `Changes in ${file} are loaded; rows written since then are discarded.\n`,
  )
})

test('a broken file, and one with faults, change nothing and are told; the next good one counts', async () => {
  const file = temporaryFile(withAnnotations(first))
  const serving = await startServe(['--data', file, '--watch'])

  writeFileSync(file, '{"annotations": [')
  await told(serving, /not reloaded/)
  writeFileSync(file, withAnnotations({ ...first, scope: 'team' }))
  await told(serving, /not reloaded/, 2)
  rmSync(file)
  await told(serving, /not reloaded/, 3)
  const meanwhile = await contents(serving)
  writeFileSync(file, withAnnotations({ ...first, content: 'Good' }))
  await told(serving, /reloaded .*1 changed/)

  expect(meanwhile).toEqual([first.content])
  expect(await contents(serving)).toEqual(['Good'])
  expect(serving.printed().stderr).toContain('is not valid JSON: ')
  expect(serving.printed().stderr).toContain('annotations[0].scope: expected one of')
})

test('editors that save by a new file of the same name are understood, again and again', async () => {
  const file = temporaryFile(withAnnotations(first))
  const serving = await startServe(['--data', file, '--watch'])

  for (const [index, content] of ['One', 'Two', 'Three'].entries()) {
    writeFileSync(`${file}.new`, withAnnotations({ ...first, content }))
    renameSync(`${file}.new`, file)
    await told(serving, /reloaded/, index + 1)
  }

  expect(await contents(serving)).toEqual(['Three'])
})

test('reset goes back to the file as it is, and sandboxes keep what is theirs', async () => {
  const file = temporaryFile(withAnnotations(first))
  const serving = await startServe(['--data', file, '--watch'])
  const post = (path: string): Promise<Response> =>
    fetch(serving.url + path, { method: 'POST', headers, body: '{}' })
  const { keys } = await (await post('/__admin/sandboxes')).json()
  await post(list)

  writeFileSync(file, withAnnotations({ ...first, content: 'Changed' }))
  await told(serving, /reloaded/)
  await post('/__admin/reset')

  const own = { authorization: `Bearer ${keys[0].value}` }
  const page = await (await fetch(serving.url + list, { headers: own })).json()
  expect(await contents(serving)).toEqual(['Changed'])
  expect(page.results).toMatchObject([{ content: first.content }])
})

test('--log-format json tells it as an object', async () => {
  const file = temporaryFile(withAnnotations(first))
  const serving = await startServe(['--data', file, '--watch', '--log-format', 'json'])

  writeFileSync(file, withAnnotations({ ...first, content: 'Changed' }))
  await told(serving, /reloaded/)
  writeFileSync(file, '{')
  await told(serving, /not_reloaded/)

  const lines = serving
    .printed()
    .stderr.trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines).toEqual([
    {
      time: expect.any(String),
      event: 'reloaded',
      file,
      added: {},
      changed: { annotations: 1 },
      removed: {},
      discarded: [],
    },
    { time: expect.any(String), event: 'not_reloaded', file, message: expect.any(String) },
  ])
})

test('with --state, a changed file replaces the saved rows, and the log names them', async () => {
  const file = temporaryFile(withAnnotations(first))
  const state = `${file}.state.json`
  const args = ['--data', file, '--state', state]
  const before = await startServe(args)
  await fetch(before.url + list, { method: 'POST', headers, body: '{"content": "Saved"}' })
  await before.stop('SIGTERM')
  const serving = await startServe([...args, '--watch'])
  const resumed = await contents(serving)

  writeFileSync(file, withAnnotations({ ...first, content: 'Changed' }))
  await told(serving, /reloaded/)
  await serving.stop('SIGTERM')

  expect(resumed).toContain('Saved')
  expect(withoutTimes(serving.printed().stderr)).toContain(
    `\nreloaded ${file}: annotations: 1 changed; discarded writes: annotations 2\n`,
  )
  expect(await contents(await startServe(['--data', 'empty', '--state', state]))).toEqual([
    'Changed',
  ])
})

test('it ends at once, and with --quiet tells faults alone', async () => {
  const file = temporaryFile(withAnnotations(first))
  const serving = await startServe(['--data', file, '--watch', '--quiet'])

  writeFileSync(file, withAnnotations({ ...first, content: 'Changed' }))
  await vi.waitUntil(async () => (await contents(serving))[0] === 'Changed', { timeout: 10_000 })
  writeFileSync(file, '{')
  await told(serving, /All is as it was before/)

  const { code, stderr } = await serving.stop('SIGTERM')
  expect(code).toBe(0)
  expect(stderr).toMatch(/^.* is not valid JSON: .*\nAll is as it was before; .*\n$/)
})

test('a file that cannot be read is told as without --watch, and ends with 2', async () => {
  const below = `${temporaryFile('{}')}/world.json`

  const watched = await run(['--data', below, '--watch'])

  expect(watched).toEqual(await run(['--data', below]))
  expect([watched.code, watched.stderr]).toEqual([
    2,
    expect.stringMatching(/^Failed to read the world: .*world\.json \(ENOTDIR\)"\.\n$/),
  ])
})

test.each([[], ['--data', 'odd']])(
  'without a file to watch it ends with 2: %s %s',
  async (...args) => {
    const { code, stderr } = await run(['--watch', ...args])

    expect([code, stderr]).toEqual([
      2,
      'Failed to read --watch: expected a file to watch, by --data or --recording, got ' +
        `"the world ${args[1] ?? 'default'} of the package".\n`,
    ])
  },
)
