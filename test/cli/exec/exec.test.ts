import { chmodSync, existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import defaultWorld from '../../../fixtures/default.json' with { type: 'json' }
import { run } from '../../support/cli/command.ts'
import { outputOf, runProcess, startProcess, waitForExit } from '../../support/cli/process.ts'
import { temporaryFile } from '../../support/files.ts'

/** A command that runs a program of Node, in which `ask` asks the API and `env` holds what exec set. */
function node(program: string): string[] {
  const env = process.execPath
  const beginning = `
    const env = process.env
    const ask = async (method, path, body) => {
      const headers = { authorization: 'Bearer ' + env.UNDERSTUDY_KEY, 'content-type': 'application/json' }
      const url = path.startsWith('http') ? path : env.UNDERSTUDY_URL + path
      const answer = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) })
      return { status: answer.status, body: await answer.json() }
    }
    const list = '/api/projects/' + env.UNDERSTUDY_PROJECT_ID + '/annotations/'`
  return ['--', env, '--input-type=module', '-e', `${beginning}\n${program}`]
}

const command = (program: string) => ['exec', ...node(program)]

test('a command finds the API, a key, a project and its organization in its environment', async () => {
  const ended = await runProcess(
    command(`
      const { organization } = (await ask('GET', '/api/projects/')).body.results[0]
      const created = await ask('POST', list, { content: 'Launch' })
      console.log(created.status, created.body.content, organization === env.UNDERSTUDY_ORGANIZATION_ID)
    `),
  )

  expect(ended).toEqual({ code: 0, stdout: '201 Launch true\n', stderr: '' })
})

test('its exit code is the one that exec ends with', async () => {
  expect((await runProcess(command('process.exit(7)'))).code).toBe(7)
})

test('a command that a signal ends gives 128 and its number', async () => {
  expect(
    (await runProcess(command('process.kill(process.pid, "SIGKILL"); setTimeout(() => {}, 9e3)')))
      .code,
  ).toBe(137)
})

test('input and output are those of exec, untouched', async () => {
  const ended = await runProcess(command('console.log("out"); console.error("err")'))

  expect(ended).toEqual({ code: 0, stdout: 'out\n', stderr: 'err\n' })
})

test('arguments reach the command as they are: no shell reads them, nor do we', async () => {
  const args = ['--data', '$HOME', 'a b', '*', '--help', '--']
  const print = [process.execPath, '-p', 'JSON.stringify(process.argv.slice(1))', '--', ...args]

  const dashed = await runProcess(['exec', '--', ...print])
  const plain = await runProcess(['exec', ...print])

  expect(JSON.parse(dashed.stdout)).toEqual(args)
  expect(plain.stdout).toBe(dashed.stdout)
})

test('the key leads to a sandbox, and the control API of it is told', async () => {
  const { stdout } = await runProcess(
    command(`
      await ask('POST', list, { content: 'Mine' })
      const mine = await ask('GET', env.UNDERSTUDY_ADMIN_URL + '/world')
      const server = await ask('GET', '/__admin/world')
      const contents = ({ body }) => body.annotations.map(({ content }) => content).includes('Mine')
      console.log(contents(mine), contents(server), mine.body.keys[0].value === env.UNDERSTUDY_KEY)
    `),
  )

  expect(stdout).toBe('true false true\n')
})

test('a key of the world that a test has written down leads to the sandbox, too', async () => {
  const { stdout } = await runProcess([
    'exec',
    '--fault',
    '{"operation": "listAnnotations", "effect": {"error": "throttled"}}',
    ...node(`console.log(env.UNDERSTUDY_KEY, (await ask('GET', list)).status)`),
  ])

  expect(stdout).toBe('phx_all 429\n')
})

test('faults by chance that struck nothing are told of, with what to do', async () => {
  const asked = node(`for (let n = 0; n < 3; n++) await ask('GET', list)`)

  const rule = (probability: number) =>
    JSON.stringify({ when: { probability }, effect: { error: 'throttled' } })
  const spared = await runProcess(['exec', '--fault', rule(0.0001), ...asked])
  const struck = await runProcess(['exec', '--fault', rule(0.9999), ...asked])

  expect(spared).toEqual({
    code: 0,
    stdout: '',
    stderr:
      'No fault by chance struck: none of 3 requests was disturbed. The same requests meet the same faults; another --seed deals them out anew.\n',
  })
  expect(struck).toEqual({ code: 0, stdout: '', stderr: '' })
})

test('two commands at once have a server each, which ends with its command', async () => {
  const program = command(`
    await ask('POST', list, { content: 'One' })
    console.log(env.UNDERSTUDY_URL, (await ask('GET', list)).body.count)
    await (await import('node:events')).once(process.stdin.resume(), 'end')`)
  const both = [startProcess(program), startProcess(program)]
  const ends = both.map((child) => waitForExit(child))

  for (const child of both) await expect.poll(() => outputOf(child).stdout).toContain('\n')
  for (const { stdin } of both) stdin?.end()
  await Promise.all(ends)

  const [first, second] = both.map((child) => outputOf(child).stdout.trim().split(' '))
  expect([first?.[1], second?.[1]]).toEqual(['7', '7'])
  expect(first?.[0]).not.toBe(second?.[0])
  await expect(fetch(`${first?.[0]}/__admin/health`)).rejects.toThrow()
})

test('the flags that decide how a server begins are those of serve', async () => {
  const [, annotation] = defaultWorld.annotations
  const file = temporaryFile({ ...defaultWorld, annotations: [{ ...annotation, id: 41 }] })
  const flags = ['--data', file, '--profile', 'live', '--policy', 'paths.current=off']

  const { stdout, stderr } = await runProcess([
    ...['exec', ...flags, '--clock', '2024-02-29T12:00:00Z', '--token', 'secret'],
    ...node(`
      const created = await ask('POST', list, {})
      const current = await ask('GET', '/api/projects/@current/annotations/')
      const control = await ask('GET', env.UNDERSTUDY_ADMIN_URL + '/world')
      const { headers } = await fetch(env.UNDERSTUDY_URL + list, { method: 'DELETE' })
      console.log(created.body.id, created.body.created_at, current.status, control.status, env.UNDERSTUDY_TOKEN)
    `),
  ])

  expect([stdout, stderr]).toEqual(['42 2024-02-29T12:00:00Z 404 401 secret\n', ''])
})

test('the variables of the flags apply too', async () => {
  const { stdout } = await runProcess(command(`console.log((await ask('GET', list)).body.count)`), {
    UNDERSTUDY_DATA: 'empty',
    UNDERSTUDY_PORT: '1',
  })

  expect(stdout).toBe('0\n')
})

test('--clock ticking: runs on from its time', async () => {
  const { stdout } = await runProcess([
    ...['exec', '--clock', 'ticking:2024-02-29T12:00:00Z'],
    ...node(`console.log((await ask('POST', list, {})).body.created_at)`),
  ])

  expect(stdout).toMatch(/^2024-02-29T12:00:\d\d\.\d{6}Z\n$/)
})

test('--fault disturbs what the command asks, and nothing else', async () => {
  const rule = { operation: 'createAnnotation', when: { times: 1 }, effect: { error: 'throttled' } }

  const { stdout, stderr } = await runProcess([
    ...['exec', '--fault', JSON.stringify(rule), '--fault', 'read-only'],
    ...node(`
      const faults = await ask('GET', env.UNDERSTUDY_ADMIN_URL + '/faults')
      await fetch(env.UNDERSTUDY_ADMIN_URL + '/faults/' + faults.body[0].id, { method: 'DELETE' })
      const statuses = [await ask('POST', list, {}), await ask('POST', list, {})].map(({ status }) => status)
      console.log(faults.body[0].preset, ...statuses, (await ask('GET', '/__admin/faults')).body.length)
    `),
  ])

  expect([stdout, stderr]).toEqual(['read-only 429 201 0\n', ''])
})

test('connect() takes the address it is told', async () => {
  const library = JSON.stringify(new URL('../../../dist/index.js', import.meta.url))
  const { stdout, stderr } = await runProcess(
    command(`
      const { connect } = await import(${library})
      const remote = connect(env.UNDERSTUDY_ADMIN_URL)
      await remote.clock.set('2024-02-29T12:00:00Z')
      await remote.world.add({ annotations: [{ content: 'Arranged' }] })
      const answer = await ask('GET', list)
      console.log(answer.body.count, (await remote.journal.find()).length)
    `),
  )

  expect([stdout, stderr]).toEqual(['7 1\n', ''])
})

test('a command that is not there ends with 127, one that cannot be run with 126', async () => {
  const file = temporaryFile('nothing')
  chmodSync(file, 0o644)

  const nowhere = await run(['exec', '--', 'no-such-command', '--flag'])
  const noProgram = await run(['exec', '--', file])

  expect([nowhere, noProgram]).toEqual([
    {
      code: 127,
      stdout: '',
      stderr:
        'Failed to run no-such-command: expected a program that can be started, got ENOENT. Check its name and the PATH.\n',
    },
    {
      code: 126,
      stdout: '',
      stderr: `Failed to run ${file}: expected a program that can be started, got EACCES. Check its name and the PATH.\n`,
    },
  ])
})

const touch = (file: string) =>
  node(`(await import('node:fs')).writeFileSync(${JSON.stringify(file)}, '')`)

test.each([
  [['--data', 'nope.json'], 'Failed to read the world'],
  [['--policy', 'nope=1'], 'Failed to set a policy'],
  [['--clock', 'noon'], 'Failed to set the clock: expected an ISO 8601 time'],
  [['--port', '1'], "Failed to read the command line: unknown option '--port'"],
])(
  '%j: what it cannot begin with ends with 2, and the command does not run',
  async (flags, message) => {
    const file = `${temporaryFile('')}.touched`

    const { code, stdout, stderr } = await run(['exec', ...flags, ...touch(file)])

    expect([code, stdout, existsSync(file)]).toEqual([2, '', false])
    expect(stderr.startsWith(message), stderr).toBe(true)
  },
)

test('without a command it ends with 2', async () => {
  expect(await run(['exec'])).toEqual({
    code: 2,
    stdout: '',
    stderr:
      "Failed to read the command line: missing required argument 'command'. understudy exec --help lists what it takes.\n",
  })
})
