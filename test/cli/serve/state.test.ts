import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run } from '../../support/cli/command.ts'
import { startServe } from '../../support/cli/serve.ts'
import { temporaryFolder } from '../../support/files.ts'

const list = '/api/projects/1/annotations/'
const plugins = '/api/organizations/018f2b6e-0000-7000-8000-00000000000a/plugins/'
const clock = ['--clock', '2024-06-15T12:00:00Z']

test('changes survive a restart, and used ids stay used', async () => {
  const file = join(temporaryFolder(), 'state.json')
  const first = await startServe(['--state', file, ...clock])
  await first.ask('PATCH', `${list}1/`, { body: { content: 'Changed' } })
  const created = await first.ask('POST', plugins, { body: { name: 'Short-lived' } })
  const { id } = created.body as { id: number }
  await first.ask('DELETE', `${plugins}${id}/`)
  const before = await first.ask('GET', '/__admin/world')
  expect((await first.stop('SIGTERM')).code).toBe(0)

  const second = await startServe(['--state', file, ...clock])
  const after = await second.ask('GET', '/__admin/world')
  const next = await second.ask('POST', plugins, { body: { name: 'Next' } })

  expect(after).toEqual(before)
  expect(next.body).toMatchObject({ id: id + 1, name: 'Next' })
})

test('the state starts with --world, to which reset returns even after a restart', async () => {
  const file = join(temporaryFolder(), 'state.json')
  const args = ['--state', file, '--world', 'empty']
  const first = await startServe(args)
  await first.ask('POST', list, { body: {} })
  await first.stop('SIGINT')

  const second = await startServe(args)
  const restarted = await second.ask('GET', list)
  await second.ask('POST', '/__admin/reset')
  const reset = await second.ask('GET', list)
  await second.stop('SIGINT')
  const third = await (await startServe(args)).ask('GET', list)

  expect(first.printed().stdout).toContain(`\nChanges are saved in ${file}.\n`)
  expect(second.printed().stdout).toContain(
    `is serving the world of ${file}, profile "documented".\nChanges are saved there. A reset returns to world "empty".\n`,
  )
  expect([restarted, reset, third].map(({ body }) => (body as { count: number }).count)).toEqual([
    1, 0, 0,
  ])
})

const bad: readonly [name: string, text: string, message: string][] = [
  ['malformed', '{"annotations": oops}', 'JSON'],
  ['of a later version', '{"format_version": 99}', 'format_version: '],
  ['a world with issues', '{"annotations": [{"id": "one"}]}', ''],
]

test.each(bad)(
  'a state file that is %s ends with 2, and does not change',
  async (_name, text, message) => {
    const file = join(temporaryFolder(), 'state.json')
    writeFileSync(file, text)

    const { code, stdout, stderr } = await run(['serve', '--port', '0', '--state', file])

    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(file)
    expect(stderr).toContain(message)
    expect(stderr).toContain('move it away')
    expect(readFileSync(file, 'utf8')).toBe(text)
    expect(readdirSync(join(file, '..'))).toEqual(['state.json'])
  },
)

test('serve ends with 1 if the last changes could not be saved', async () => {
  const folder = join(temporaryFolder(), 'inner')
  mkdirSync(folder)
  const file = join(folder, 'state.json')
  const serving = await startServe(['--quiet', '--state', file])

  rmSync(folder, { recursive: true })
  await serving.ask('POST', list, { body: {} })
  const { code, stderr } = await serving.stop('SIGTERM')

  expect([code, stderr.split('\n')]).toEqual([
    1,
    [
      expect.stringMatching(/^Failed to save .*: its folder does not exist \(ENOENT\)\. .*\.$/),
      `The last changes were not saved to ${file}.`,
      '',
    ],
  ])
})
