import { once } from 'node:events'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import defaultWorld from '../../../fixtures/default.json' with { type: 'json' }
import { run, startCommand, type Variables } from '../../support/cli/command.ts'
import { runExec, withoutStart } from '../../support/cli/exec.ts'
import { type CommandResult, withoutTimes } from '../../support/cli/output.ts'
import { runProcess } from '../../support/cli/process.ts'
import { shellClient } from '../../support/cli/shell-client.ts'
import { temporaryFile, temporaryFolder } from '../../support/files.ts'
import { freePort } from '../../support/free-port.ts'

/** Runs a program with exec in this process. What it prints is in a file, which is returned as stdout. */
async function exec(flags: readonly string[], program: string): Promise<CommandResult> {
  const out = temporaryFile('')
  const result = await runExec([...flags, ...shellClient(`exec >> '${out}'\n${program}`)])
  return { ...result, stdout: readFileSync(out, 'utf8') }
}

const ofDelete = 'annotations.delete.status'
const otherSettings = JSON.stringify({ settings: { [ofDelete]: '404' } })
const withSettings = { UNDERSTUDY_SETTINGS: otherSettings, UNDERSTUDY_UNCHANGED: otherSettings }

const noRequests =
  'The command sent no request to the API. Tests with fixtures of understudy-api do not need exec. Another client has to read the address from UNDERSTUDY_URL and the key from UNDERSTUDY_KEY, or from variables that you name: --env API_URL=url --env API_KEY=key.\n'

test('the environment of the command has the API, a key, a project and its organization, also as --env names them', async () => {
  const listeners = process.listenerCount('SIGTERM')
  const result = await exec(
    ['--env', 'API=url, API_PORT=port', '--env', 'API_KEY=key'],
    `
      ask GET /api/projects/
      [[ $body == *'"organization":"'$UNDERSTUDY_ORGANIZATION_ID'"'* ]] && echo its organization
      ask POST $list '{"content":"Launch"}'
      [[ $body == *'"content":"Launch"'* ]] && echo $status $API_KEY
      [[ $API == $UNDERSTUDY_URL && $API == *:$API_PORT ]] && echo $API`,
  )
  const [organization, created, url = ''] = result.stdout.split('\n')

  expect({ ...result, stdout: [organization, created] }).toEqual({
    code: 0,
    stdout: ['its organization', '201 phx_all'],
    stderr: '',
  })
  await expect(fetch(url)).rejects.toThrow('fetch failed')
  expect(process.listenerCount('SIGTERM')).toBe(listeners)
})

test.each<[flags: readonly string[], around: Variables, profile: string, settings: object]>([
  [[], {}, 'documented', {}],
  [['--set', `${ofDelete}=405`], withSettings, 'documented', { [ofDelete]: '405' }],
  [['--profile', 'live'], { UNDERSTUDY_PROFILE: 'documented' }, 'live', {}],
  [[], { UNDERSTUDY_PROFILE: 'live', ...withSettings }, 'live', { [ofDelete]: '404' }],
])(
  'simulators of the command get the settings that the flags name, also the usual ones: %j within %j',
  async (flags, around, profile, settings) => {
    const out = temporaryFile('')
    const print = 'echo "$UNDERSTUDY_PROFILE$UNDERSTUDY_UNCHANGED $UNDERSTUDY_SETTINGS" > "$0"'

    const { code } = await runExec([...flags, '--', 'sh', '-c', print, out], around)

    const [shown = '', ...rest] = readFileSync(out, 'utf8').split(' ')
    expect([code, shown, JSON.parse(rest.join(' '))]).toEqual([0, profile, { settings }])
  },
)

test('exec serves on the port and the host of its flags, and ends with 3 if the port is taken', async () => {
  const port = await freePort()
  const client = shellClient(`ask GET $list; [[ $UNDERSTUDY_URL == *:${port} ]]`)

  const open = await run(['exec', '--port', `${port}`, '--host', '0.0.0.0', ...client])
  const blocker = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void blocker.close())
  await once(blocker, 'listening')
  const taken = Object(blocker.address()).port
  const failed = await run(['exec', '--', 'true'], { UNDERSTUDY_PORT: `${taken}` })

  expect([open.code, open.stderr]).toEqual([
    0,
    `Understudy is serving http://127.0.0.1:${port} while the command runs. Dashboard: closed, because other machines can reach the server; open it with --token\n`,
  ])
  expect([failed.code, failed.stderr]).toEqual([
    3,
    `Port ${taken} is already in use. Choose another port, or 0 for any free one.\n`,
  ])
})

test('a mistake is printed while the command runs, and listed at its end, unless mistakes is off', async () => {
  const end = join(temporaryFolder(), 'end')
  const client = shellClient(`
    ask GET "$list?serch=x"
    ask DELETE "$list"1/
    until [ -e '${end}' ]; do sleep 0.02; done
    ask DELETE "$list"2/`)

  const silent = startCommand(['exec', '--mistakes', 'off', ...client])
  await new Promise((done) => setTimeout(done, 300))
  const running = startCommand(['exec', ...client])
  await expect.poll(() => running.printed().stderr).toContain('swallowed-delete')
  const [, ...lines] = withoutTimes(running.printed().stderr).split('\n')
  writeFileSync(end, '')
  const { code, stderr } = await running.end

  expect((await silent.end).stderr).not.toContain('swallowed-delete')
  expect([lines, code]).toEqual([
    [
      expect.stringMatching(
        /^mistake ignored-input: listAnnotations ignores \?serch, did you mean search\? .* \(entry 1: 200 GET .*\)$/,
      ),
      expect.stringMatching(
        /^mistake swallowed-delete: Annotation 1 was not deleted, .* Send PATCH .* \(entry 2: 405 DELETE .*\)$/,
      ),
      '',
    ],
    0,
  ])
  expect(stderr.match(/swallowed-delete.*/g)).toEqual([
    expect.stringContaining('Annotation 1'),
    expect.stringContaining('2 times'),
  ])
})

test('the command shares the output and the exit code of exec, which says that a command sent no request', async () => {
  const command = ['sh', '-c', 'echo out; echo err >&2; exit 7']

  expect(withoutStart(await runProcess(['exec', '--', ...command]))).toEqual({
    code: 7,
    stdout: 'out\n',
    stderr: `err\n${noRequests}`,
  })
})

test('of a command without a request, a proxy of the environment is named as a reason', async () => {
  const { stderr } = await runExec(['--', 'true'], { HTTP_PROXY: 'http://127.0.0.1:9' })

  expect(stderr).toContain(
    ' HTTP_PROXY is set: clients that use it need NO_PROXY=localhost,127.0.0.1.\n',
  )
})

test('arguments are passed on without parsing', async () => {
  const args = ['--world', '$HOME', 'a b', '*', '--help', '--']
  const out = temporaryFile('')
  const print = ['sh', '-c', `printf '%s\\n' "$@" >> "$0"`, out, ...args]

  await run(['exec', '--', ...print])
  await run(['exec', ...print])

  expect(readFileSync(out, 'utf8').trim().split('\n')).toEqual([...args, ...args])
})

test('if the command fails, exec prints its latest requests, also those to sandboxes, with their tests', async () => {
  const program = `
    ask POST /__admin/sandboxes '{"name":"reads projects"}'
    url=$(field url) key=$(field key)
    for n in {1..8}; do ask GET /api/projects/1/; done
    ask GET /api/projects/2/
    UNDERSTUDY_KEY=$key ask GET $url/api/projects/
    ask DELETE /__admin/sandboxes/sandbox-1
    UNDERSTUDY_KEY=phx_unknown ask GET $list
    exit 1`
  const { code, stderr } = await exec([], program)
  const lines = stderr.split('\n')

  expect(code).toBe(1)
  expect(lines[0]).toBe('The last 10 requests to the simulator:')
  expect(lines.slice(8, 12)).toEqual([
    expect.stringMatching(/^ {2}404 GET \/api\/projects\/2\/, key "all" – /),
    '  200 GET /__sandbox/sandbox-1/api/projects/, key "all" (test "reads projects")',
    '  401 GET /api/projects/1/annotations/, key "phx_…" – no key matches phx_u…',
    'Notes about the client, which can be on purpose:',
  ])
})

test('if the command fails, earlier requests with a fault or a refusal come first', async () => {
  const client = shellClient(`
    ask POST $list '{"scope":"no"}'
    ask GET $list
    for n in {1..12}; do ask GET /api/projects/; done
    exit 1`)

  const fault = '{"operation":"listAnnotations","effect":{"delay_ms":1}}'
  const { stderr } = await runExec(['--fault', fault, ...client])

  expect(stderr.split('\n').slice(0, 4)).toEqual([
    'Requests with a fault or a refusal:',
    expect.stringMatching(/^ {2}400 POST .*, key "all" – body\.scope: /),
    expect.stringMatching(/^ {2}200 GET \/api\/projects\/1\/annotations\/, key "all" – /),
    'The last 10 requests to the simulator:',
  ])
})

const repeated = () =>
  shellClient(`
    create() { ask POST $list '{"content":"Launch","color":"red","title":"Launch"}'; }
    create; [ $status ] || create`)

test('after a command that succeeds, exec prints the mistakes of its client, unless mistakes is off', async () => {
  const lost = ['--fault', 'lost-create']

  const shown = await runExec([...lost, ...repeated()])
  const quiet = await runExec([...lost, '--mistakes', 'off', ...repeated()])
  const failed = await runExec([...lost, '--mistakes', 'fail', ...repeated()])

  expect([shown.code, shown.stderr.split('\n')[0]]).toEqual([0, 'Client mistakes:'])
  expect(shown.stderr).toContain('\n  repeated-create: The client got no complete response')
  expect(shown.stderr).toContain('\n  ignored-input, 2 times: createAnnotation ignores body.color.')
  expect([quiet.code, quiet.stderr]).toEqual([0, ''])
  expect(failed.code).toBe(1)
})

test('if the command fails, exec names the mistakes of its client once, with a report or without', async () => {
  const client = shellClient('ask GET $list; ask DELETE "$list"1/; exit 3')
  const report = ['--mistakes', 'fail', '--report', join(temporaryFolder(), 'report.txt')]

  const [failed, reported] = [await runExec(client), await runExec([...report, ...client])]

  expect([failed.code, reported.code]).toEqual([3, 3])
  for (const { stderr } of [failed, reported]) {
    expect.soft(stderr.split('Client mistakes:\n')).toHaveLength(2)
    expect.soft(stderr).toContain('Send PATCH with {"deleted": true}.')
  }
})

test('in live, the keys of the command and of a sandbox may do everything', async () => {
  const result = await exec(
    ['--profile', 'live'],
    `
      path=/api/organizations/$UNDERSTUDY_ORGANIZATION_ID/plugins/unused/
      ask GET $path; echo $status
      ask POST /__admin/sandboxes {}
      UNDERSTUDY_KEY=$(field key) ask GET $(field url)$path; echo $status`,
  )

  expect(result).toMatchObject({ stdout: '200\n200\n', code: 0 })
})

test('a sandbox that the command creates has the faults of exec', async () => {
  const program = `
    open() { ask POST /__admin/sandboxes {}; url=$(field url) key=$(field key); }
    list() { UNDERSTUDY_KEY=$key ask GET $url/api/projects/; echo $status; }
    open; list; list; ask POST $url/__admin/reset; list
    open; list
    ask GET /api/projects/; echo $status`
  const once = { when: { times: 1 }, effect: { status: 503 } }
  const fault = JSON.stringify({ operation: 'listProjects', ...once })

  const { stdout } = await exec(['--fault', fault], program)

  expect(stdout.split('\n')).toEqual(['503', '200', '503', '503', '503', ''])
})

test('exec has the flags of serve that configure the simulator', async () => {
  const [, annotation] = defaultWorld.annotations
  const file = temporaryFile({ ...defaultWorld, annotations: [{ ...annotation, id: 41 }] })
  const flags = ['--world', file, '--profile', 'live', '--set', 'paths.current=off']

  const { stdout, stderr } = await exec(
    [...flags, '--clock', '2024-02-29T12:00:00Z', '--token', 'secret'],
    `
      ask POST $list {}; [[ $body == *'"id":42,'* ]] && echo $(field created_at)
      ask GET /api/projects/@current/annotations/; echo $status
      ask GET $UNDERSTUDY_ADMIN_URL/world; echo $status $UNDERSTUDY_TOKEN`,
  )

  expect([stdout.split('\n'), stderr]).toEqual([
    ['2024-02-29T12:00:00Z', '404', '401 secret', ''],
    'UNDERSTUDY_KEY is the key labelled old: eight operations on plugins refuse keys with scopes, such as all (setting plugins.other.scope).\n',
  ])
})

test('exec ends with 127 for an unknown command, and with 126 for a file that cannot be executed', async () => {
  const file = temporaryFile('text')
  chmodSync(file, 0o644)

  const unknown = await runExec(['--', './no-such-command', '--flag'])
  const forbidden = await runExec(['--', file])
  const ended = await runExec(['--', 'sh', '-c', 'kill $$'])

  const cure =
    'It is started without a shell: for what a shell reads, write sh -c, and the text after it.'
  expect([unknown, forbidden, ended]).toEqual([
    { code: 127, stdout: '', stderr: `Command not found: ./no-such-command. ${cure}\n` },
    { code: 126, stdout: '', stderr: `Cannot run ${file}: permission denied.\n` },
    { code: 143, stdout: '', stderr: '' },
  ])
})
