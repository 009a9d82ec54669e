import { expect, test } from 'vitest'
import { createSimulator } from '../../../src/index.ts'
import { run } from '../../support/cli/command.ts'
import { badUse, withoutTimes } from '../../support/cli/output.ts'
import { startServe } from '../../support/cli/serve.ts'
import { temporaryFile } from '../../support/files.ts'

const list = '/api/projects/1/annotations/'
const headers = { authorization: 'Bearer phx_all' }
const read = { title: 'read it', as: 'all', method: 'GET', path: `${list}1/` }
const story = {
  title: 'A story',
  world: 'odd',
  steps: [
    { advance: { hours: 1 } },
    { ...read, expect: { status: 200, body: { content: 'As recorded' } } },
    { ...read, title: 'read another', path: `${list}2/` },
  ],
}
const file = (content: object | string): string => temporaryFile(content)

test('serve opens the world and the faults of a recording, and a reset starts again', async () => {
  const flags = ['--fault', '{"operation":"listProjects","effect":{"status":503}}']
  const { url, printed, stop } = await startServe(['--scenario', file(story), ...flags])
  const ask = async (path: string) => (await fetch(url + path, { headers })).json()

  const recorded = await ask(`${list}1/`)
  const simulated = await ask(`${list}1/`)
  const { count } = await ask(list)
  await fetch(`${url}/__admin/reset`, { method: 'POST' })
  const again = await ask(`${list}1/`)
  const { stderr } = await stop('SIGTERM')

  expect(printed().stdout).toContain('is serving the world and the faults of "A story", profile')
  expect(recorded).toEqual({ ...simulated, content: 'As recorded' })
  expect([count, again.content]).toEqual([46, 'As recorded'])
  expect(withoutTimes(stderr).split('\n')[0]).toMatch(/^200 GET .*1\/, all/)
})

test('a client of a recorded scenario goes on with its key, and a refusal names the labels of hidden keys', async () => {
  const keys = [{ value: 'replaced-key-1', label: 'all', user: 1, scopes: ['*'] }]
  const world = { ...createSimulator().world.toJSON(), keys }
  const recording = file({ ...story, world, steps: [read] })
  const statusAt = async (...flags: string[]) => {
    const { url, stop } = await startServe(['--scenario', recording, ...flags])
    const { status } = await fetch(url + list, { headers })
    return [status, (await stop('SIGTERM')).stderr] as const
  }

  const [refused, log] = await statusAt()
  const [answered] = await statusAt('--key', 'all=phx_all')

  expect([refused, answered]).toEqual([401, 200])
  expect(log).toContain(
    'the recording hides the values of "all": give one to serve by --key LABEL=VALUE',
  )
  expect(await run(['serve', '--scenario', recording, '--key', 'al=phx_all'])).toEqual(
    badUse('Failed to read --key: expected one of all, got "al". Did you mean all?\n'),
  )
  expect(await run(['serve', '--key', 'all=phx_all'])).toEqual(
    badUse('--key requires --scenario.\n'),
  )
})

test('a recording without a world is served in the world of --world', async () => {
  const { world: _, ...recording } = story
  const variables = { UNDERSTUDY_SCENARIO: file(recording) }
  const { url, stop } = await startServe(['--quiet', '--world', 'odd'], variables)

  const { count } = await (await fetch(url + list, { headers })).json()
  await stop('SIGTERM')

  expect(count).toBe(46)
})

test('serve, replay and validate take the name of a scenario of the package', async () => {
  const name = 'delete-not-allowed'
  const { printed, stop } = await startServe(['--scenario', name])
  await stop('SIGTERM')

  expect(printed().stdout).toMatch(/^Understudy \S+ is serving the world and the faults of "/)
  expect(await run(['replay', name])).toMatchObject({ code: 0 })
  expect(await run(['validate', name])).toMatchObject({
    stdout: expect.stringMatching(/^delete-not-allowed is a valid scenario: \d/),
  })
  expect(await run(['replay', 'delete-not-alowed'])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(
      /^Scenario delete-not-alowed not found: .* Did you mean "delete-not-allowed"\?\n$/,
    ),
  })
  expect(await run(['replay', name, '--update'])).toMatchObject({
    code: 2,
    stderr:
      '--update writes to the file, and delete-not-allowed is a scenario of the package. Name a file.\n',
  })
})
