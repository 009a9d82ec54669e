import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { commandNames } from '../../src/cli/program.ts'
import { runProcess } from '../support/cli/process.ts'
import { startRecordProcess } from '../support/cli/record.ts'
import { startServeProcess } from '../support/cli/serve.ts'
import { temporaryFolder } from '../support/files.ts'
import { bin, root } from '../support/root.ts'

// What only the bundle can break. Other tests run commands in their own process.

const har = join(root, 'test', 'adapters', 'har', 'archives', 'chromium.har')

/** Commands that end by themselves. */
const commands: Readonly<Record<string, () => readonly string[]>> = {
  import: () => [har, '--out', join(temporaryFolder(), 'story.json')],
  settings: () => ['limits'],
  validate: () => ['odd'],
  explain: () => ['GET', '/api/projects/'],
}

test.each(Object.entries(commands))('the bin runs %s', async (name, args) => {
  const { code, stdout } = await runProcess([name, ...args()])

  expect(code).toBe(0)
  expect(stdout).not.toBe('')
})

test.each(['SIGINT', 'SIGHUP', 'SIGQUIT'] as const)(
  'the bin runs serve and record until %s, and compares a server',
  async (signal) => {
    const out = `${temporaryFolder()}/story.json`
    const target = await startServeProcess()
    const recording = await startRecordProcess(target.url, '--out', out)
    const { status } = await fetch(`${recording.url}/api/projects/`)
    const flags = ['--target', target.url, '--key', 'phx_all', '--max-requests', '10']
    const compared = await runProcess(['compare', ...flags])

    const [recorded, served] = [await recording.stop(signal), await target.stop('SIGTERM')]

    expect([status, compared.code, recorded.code, served.code]).toEqual([401, 0, 0, 0])
    expect(JSON.parse(readFileSync(out, 'utf8')).steps).toHaveLength(1)
  },
)

test('every command is tried', () => {
  // Sweep takes seconds, so its own tests run it, in this process. Those of mcp run the bin.
  const others = 'serve record exec replay compare mcp sweep'.split(' ')

  expect([...Object.keys(commands), ...others].sort()).toEqual([...commandNames].sort())
})

test('the bin exits with the code of the command, and prints its version', async () => {
  const version = await runProcess(['--version'])
  const unknown = await runProcess(['srve'])

  expect(version).toEqual({ code: 0, stdout: `${packageJson.version}\n`, stderr: '' })
  expect([unknown.code, unknown.stdout]).toEqual([2, ''])
})

test('the bin serves the default world without generators and dependencies', async () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'dist'))
  const parts = readdirSync(dirname(bin)).filter((name) => /^understudy.*\.js$/.test(name))
  for (const name of parts) cpSync(join(dirname(bin), name), join(folder, 'dist', name))
  cpSync(join(root, 'fixtures'), join(folder, 'fixtures'), { recursive: true })
  cpSync(join(root, 'package.json'), join(folder, 'package.json'))

  const { ask } = await startServeProcess(
    ['--world', 'default'],
    {},
    join(folder, 'dist', 'understudy.js'),
  )

  // The generators would add a megabyte.
  const sizes = parts.map((name) => statSync(join(dirname(bin), name)).size)
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(2_000_000)
  expect((await ask('GET', '/api/projects/1/annotations/')).status).toBe(200)
})

test('dist/standalone.mjs serves all that the package serves, with nothing beside it', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'standalone.mjs')
  copyFileSync(join(root, 'dist', 'standalone.mjs'), file)
  const variables = { TMPDIR: temporaryFolder() }

  const { url, ask, stop } = await startServeProcess([], variables, file)
  const statuses = await Promise.all(
    [
      '/__admin/',
      '/__admin/docs/swagger-ui-bundle.js',
      '/openapi.json',
      '/__admin/openapi.json',
    ].map(async (path) => (await fetch(url + path)).status),
  )
  const scenarios = await ask('GET', '/__admin/scenarios')
  const generated = await ask('PUT', '/__admin/world', { body: { generate: { annotations: 2 } } })
  const sandbox = await ask('POST', '/__admin/sandboxes', { body: { from: 'odd' } })
  const ended = await stop('SIGTERM')

  expect(statuses).toEqual([200, 200, 200, 200])
  expect(scenarios.body).toHaveLength(
    readdirSync(join(root, 'scenarios')).filter((name) => /^[\w-]+\.json$/.test(name)).length,
  )
  expect([generated.status, sandbox.status]).toEqual([200, 200])
  expect([ended.code, ended.stderr]).toEqual([0, ''])
  expect([readdirSync(folder), readdirSync(variables.TMPDIR)]).toEqual([['standalone.mjs'], []])
})
