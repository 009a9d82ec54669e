import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { run } from '../../support/cli/command.ts'
import { type Serving, startServe, startServeProcess } from '../../support/cli/serve.ts'
import { temporaryFolder } from '../../support/files.ts'

const list = '/api/projects/1/annotations/'
const plugins = '/api/organizations/018f2b6e-0000-7000-8000-00000000000a/plugins/'
const clock = ['--clock', '2024-06-15T12:00:00Z']

test('what was changed is there after a restart, and ids that were used stay used', async () => {
  const file = join(temporaryFolder(), 'state.json')
  const first = await startServe(['--state', file, ...clock])
  await ask(first, 'PATCH', `${list}1/`, { content: 'Changed' })
  const { body } = await ask(first, 'POST', plugins, { name: 'Short-lived' })
  await ask(first, 'DELETE', `${plugins}${body.id}/`)
  const before = await ask(first, 'GET', '/__admin/world')
  expect((await first.stop('SIGTERM')).code).toBe(0)

  const second = await startServe(['--state', file, ...clock])
  const after = await ask(second, 'GET', '/__admin/world')
  const created = await ask(second, 'POST', plugins, { name: 'Next' })

  expect(after).toEqual(before)
  expect(created.body).toMatchObject({ id: body.id + 1, name: 'Next' })
})

test('it begins from --data, which reset goes back to after a restart as well', async () => {
  const file = join(temporaryFolder(), 'state.json')
  const args = ['--state', file, '--data', 'empty']
  const first = await startServe(args)
  await ask(first, 'POST', list, {})
  await first.stop('SIGINT')

  const second = await startServe(args)
  const kept = await ask(second, 'GET', list)
  await ask(second, 'POST', '/__admin/reset')
  const reset = await ask(second, 'GET', list)
  await second.stop('SIGINT')
  const third = await ask(await startServe(args), 'GET', list)

  expect([kept, reset, third].map(({ body }) => (body as { count: number }).count)).toEqual([
    1, 0, 0,
  ])
})

test('what is kept is a world: it can be checked, served and edited as any other', async () => {
  const file = join(temporaryFolder(), 'state.json')
  const { stop } = await startServe(['--state', file])
  await stop('SIGTERM')

  const { code, stdout } = await run(['validate', file])
  const { body } = await ask(await startServe(['--data', file]), 'GET', list)

  expect([code, stdout.startsWith(`${file} is a world: 1 organizations`)]).toEqual([0, true])
  expect(body).toMatchObject({ count: 6 })
})

test('changes are saved within a second or so, by requests and by the control API alike', async () => {
  const file = join(temporaryFolder(), 'state.json')
  const serving = await startServe(['--state', file])
  const saved = () => JSON.parse(readFileSync(file, 'utf8')).annotations.length

  expect(saved()).toBe(8)
  await ask(serving, 'POST', list, {})
  await vi.waitUntil(() => saved() === 9, { timeout: 5_000 })
  await ask(serving, 'POST', '/__admin/reset')
  await vi.waitUntil(() => saved() === 8, { timeout: 5_000 })
  expect(readdirSync(join(file, '..')).sort()).toEqual(['state.json', 'state.json.lock'])
})

const cure = 'It was left as it is: mend it, or move it away to begin anew.'
const world = '{"organizations": [{"id": "018f2b6e-0000-7000-8000-00000000000a", "name": "A"}]}'
const bad: readonly [what: string, text: string, message: string][] = [
  ['malformed', '{"annotations": oops}', 'is not valid JSON: line 1, column 17 (Expecting value).'],
  ['truncated', world.slice(0, -3), 'is not valid JSON: line '],
  ['empty', '', 'is not valid JSON: it is empty.'],
  ['no object', '[]', ''],
  ['of a later version', '{"format_version": 99}', 'format_version: '],
  ['of rows with faults', '{"annotations": [{"id": "one"}]}', ''],
]

test.each(bad)('a file that is %s ends with 2 and stays as it is', async (_what, text, message) => {
  const file = join(temporaryFolder(), 'state.json')
  writeFileSync(file, text)

  const { code, stdout, stderr } = await run(['serve', '--port', '0', '--state', file])

  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toContain(file)
  expect(stderr).toContain(message)
  expect(stderr).toContain(cure)
  expect(readFileSync(file, 'utf8')).toBe(text)
  expect(readdirSync(join(file, '..'))).toEqual(['state.json'])
})

test('a file that nothing can be written to ends with 2, before anybody relies on it', async () => {
  const folder = temporaryFolder()
  const nowhere = join(folder, 'nowhere', 'state.json')

  const missing = await run(['serve', '--port', '0', '--state', nowhere])
  const isFolder = await run(['serve', '--port', '0', '--state', folder])

  const expected = 'expected a file in a folder that can be written'
  expect([missing, isFolder]).toEqual([
    {
      code: 2,
      stdout: '',
      stderr: `Failed to save the state ${nowhere}: ${expected}, got ENOENT.\n`,
    },
    {
      code: 2,
      stdout: '',
      stderr: `Failed to read the state ${folder}: ${expected}, got EISDIR.\n`,
    },
  ])
})

test('when saving fails it is told once, requests go on, and what is unsaved is saved later', async () => {
  const folder = join(temporaryFolder(), 'inner')
  mkdirSync(folder)
  const file = join(folder, 'state.json')
  const serving = await startServe(['--quiet', '--state', file])

  rmSync(folder, { recursive: true })
  await ask(serving, 'POST', list, { content: 'One' })
  await vi.waitUntil(() => serving.printed().stderr !== '', { timeout: 5_000 })
  await ask(serving, 'POST', list, { content: 'Two' })
  await new Promise((resolve) => setTimeout(resolve, 600))
  mkdirSync(folder)
  const third = await ask(serving, 'POST', list, { content: 'Three' })
  await vi.waitUntil(() => existsSync(file), { timeout: 5_000 })
  const { code, stderr } = await serving.stop('SIGTERM')

  expect([code, third.status]).toEqual([0, 201])
  expect(stderr).toBe(
    `Failed to save the state ${file}: expected a file in a folder that can be written, got ENOENT.\n`,
  )
  expect(JSON.parse(readFileSync(file, 'utf8')).annotations).toHaveLength(11)
})

test('changes that could not be saved at the end are told, and the exit code is 1', async () => {
  const folder = join(temporaryFolder(), 'inner')
  mkdirSync(folder)
  const file = join(folder, 'state.json')
  const serving = await startServe(['--quiet', '--state', file])

  rmSync(folder, { recursive: true })
  await ask(serving, 'POST', list, {})
  const { code, stderr } = await serving.stop('SIGTERM')

  expect([code, stderr]).toEqual([
    1,
    `Failed to save the state ${file}: expected a file in a folder that can be written, got ENOENT.\n` +
      `The last changes of the world are not in ${file}.\n`,
  ])
})

test('a link stays one, and what killed processes have left beside the file goes', async () => {
  const folder = temporaryFolder()
  const [file, link] = [join(folder, 'kept.json'), join(folder, 'state.json')]
  writeFileSync(file, world)
  symlinkSync(file, link)
  for (const pid of [process.ppid, 4_194_305]) writeFileSync(`${file}.${pid}.tmp`, '{"annot')

  const serving = await startServe(['--state', link])
  await ask(serving, 'POST', '/__admin/reset')
  await serving.stop('SIGTERM')

  expect(lstatSync(link).isSymbolicLink()).toBe(true)
  expect(JSON.parse(readFileSync(file, 'utf8')).annotations).toHaveLength(8)
  expect(readdirSync(folder).sort()).toEqual([
    'kept.json',
    `kept.json.${process.ppid}.tmp`,
    'state.json',
  ])
})

test('a second server on the same file is refused, and the first one goes on', async () => {
  const folder = temporaryFolder()
  const [file, link] = [join(folder, 'state.json'), join(folder, 'link.json')]
  const first = await startServeProcess(['--state', file])
  symlinkSync(file, link)
  const [pid] = readFileSync(`${file}.lock`, 'utf8').split(' ')

  const second = await run(['serve', '--port', '0', '--state', link])
  await ask(first, 'POST', list, {})
  const ended = await first.stop('SIGTERM')
  const third = await startServe(['--state', link])

  expect(second).toEqual({
    code: 2,
    stdout: '',
    stderr:
      `Failed to keep the state ${link}: expected a file that nobody else keeps one in, got one of process ${pid}. ` +
      `End that, or name another file. If process ${pid} is something else, remove ${file}.lock.\n`,
  })
  expect(ended.code).toBe(0)
  expect((await ask(third, 'GET', list)).body).toMatchObject({ count: 7 })
})

test('a server that was killed has its file no longer, nor has one that could not listen', async () => {
  const file = join(temporaryFolder(), 'state.json')
  const killed = await startServeProcess(['--state', file])
  await killed.stop('SIGKILL')
  const left = existsSync(`${file}.lock`)

  const next = await startServe(['--state', file])
  const other = `${file}.other.json`
  const { code } = await run(['serve', '--port', new URL(next.url).port, '--state', other])

  expect([left, code]).toEqual([true, 3])
  expect(existsSync(`${other}.lock`)).toBe(false)
})

test.skipIf(process.platform !== 'linux')(
  'another process that has the number of one that was killed does not have its file (where the system tells when one began)',
  async () => {
    const file = join(temporaryFolder(), 'state.json')
    writeFileSync(`${file}.lock`, `${process.pid} 1`)

    const { url } = await startServe(['--state', file])

    expect((await fetch(`${url}/__admin/health`)).status).toBe(200)
  },
)

async function ask({ url }: Serving, method: string, path: string, body?: unknown) {
  const answer = await fetch(url + path, {
    method,
    headers: { authorization: 'Bearer phx_all', 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) }
}
