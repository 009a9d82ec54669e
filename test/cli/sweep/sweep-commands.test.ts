import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run } from '../../support/cli/command.ts'
import { temporaryFile, temporaryFolder } from '../../support/files.ts'

const shell = (script: string): string[] => ['--', 'sh', '-c', script]

test('processes that a command leaves behind end with it, also those that hold its output', async () => {
  const pids = join(temporaryFolder(), 'pids')

  await run([
    'sweep',
    ...shell(`sleep 300 & echo $! >> ${pids}; (trap '' TERM; sleep 300) & echo $! >> ${pids}`),
  ])

  const left = readFileSync(pids, 'utf8').trim().split('\n').map(Number)
  expect(left).toHaveLength(4)
  await expect.poll(() => left.filter(isAlive), { timeout: 10_000 }).toEqual([])
})

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    // A zombie waits for its parent.
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

test('a command that ignores the request to end is ended by force', async () => {
  const pids = join(temporaryFolder(), 'pids')
  const flags = ['--timeout', '1s', '--jobs', '2']
  // The shell waits for one second at a time, so that only its own trap keeps it.
  const script = `echo $$ >> ${pids}; trap '' TERM; while :; do sleep 1; done`

  const { code, stderr } = await run(['sweep', ...flags, ...shell(script)])

  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining('the command does not end within 1 s in both of two runs'),
  ])
  const left = readFileSync(pids, 'utf8').trim().split('\n').map(Number)
  expect(left).toHaveLength(2)
  await expect.poll(() => left.filter(isAlive)).toEqual([])
})

test('a JUnit report of an earlier run is not believed', async () => {
  const old = temporaryFile('<testsuites><testcase name="old"><failure/></testcase></testsuites>')

  const { stderr } = await run(['sweep', '--jobs', '1', '--junit', old, ...shell('exit 1')])

  expect(stderr.split(`The command did not write ${old}.\n`)).toHaveLength(2)
  expect(stderr).toContain('without a change, the command fails in both')
  expect(existsSync(old)).toBe(false)
})

test('a file that is no JUnit report is not removed', async () => {
  const file = temporaryFile('{}')

  const { code, stderr } = await run(['sweep', '--jobs', '1', '--junit', file, ...shell('')])

  expect([code, stderr]).toEqual([
    2,
    `${file} is not a JUnit report. Choose another file for --junit.\n`,
  ])
  expect(readFileSync(file, 'utf8')).toBe('{}')
})

test('an unknown command leaves no temporary folder', async () => {
  const folder = temporaryFolder()
  const line = ['sweep', '--junit', 'unknown.xml', '--', './no-such-command', 'unknown.xml']

  const { stderr } = await run(line, { TMPDIR: folder })

  expect(stderr).toBe('Command not found: ./no-such-command.\n')
  expect(readdirSync(folder)).toEqual([])
})

test('a command that cannot be swept has reports and JSON, without its secrets', async () => {
  const folder = temporaryFolder()
  const files = ['json', 'xml', 'sarif', 'html'].map((extension) => join(folder, `r.${extension}`))
  const state = join(folder, 'state.json')
  const flags = [...files.flatMap((file) => ['--report', file]), '--state', state, '--json']
  const line = [
    'false',
    '--token=phx_0123456789abcdefghij',
    '--password',
    'hunter22',
    'API_KEY=abc',
  ]

  const { code, stdout } = await run(['sweep', ...flags, '--', ...line])

  expect(code).toBe(1)
  expect(JSON.parse(stdout)).toEqual({
    command: 'false --token=… --password … API_KEY=…',
    verdict: 'failing',
    problem: expect.stringMatching(/^No policy can be blamed: without a change, the command fails/),
  })
  const texts = [...files, state].map((file) => readFileSync(file, 'utf8'))
  for (const text of texts) expect(text).not.toMatch(/phx_0123|hunter22|abc/)
  for (const text of texts.slice(0, 4)) expect(text).toContain('No policy can be blamed')
})

test('--state names the flag that differs, and the file of --data whose content differs', async () => {
  const world = temporaryFile(readFileSync('fixtures/empty.json', 'utf8'))
  const state = join(temporaryFolder(), 'q.json')
  const sweep = (...flags: string[]) =>
    run(['sweep', '--state', state, '--data', world, ...flags, ...shell('exit 1')])
  await sweep()

  const results = [await sweep('--timeout', '9s'), await sweep('--intercept', 'app.example.com')]
  writeFileSync(world, `${readFileSync(world, 'utf8')}\n`)
  results.push(await sweep(), await sweep('--neighbours', 'default'))

  expect(results.map(({ stderr }) => stderr)).toEqual(
    [
      '--timeout differs',
      '--intercept differs',
      '--data differs',
      '--data, --neighbours differ',
    ].map(
      (what) =>
        `${state} has the state of another sweep: ${what}. Choose another file for --state, or delete it.\n`,
    ),
  )
})

test('--state repeats runs without a change and failures, and keeps runs that passed', async () => {
  const folder = temporaryFolder()
  const state = join(folder, 'q.json')
  const args = ['sweep', '--state', state, ...shell('exit 1')]
  await run(args)
  const json = JSON.parse(readFileSync(state, 'utf8'))
  const passed = { ...json.runs['unchanged #1'], failure: null }
  const runs = {
    ...json.runs,
    'unchanged #1': passed,
    'a=1 #1': passed,
    'a=2 #1': json.runs['unchanged #2'],
  }
  writeFileSync(state, JSON.stringify({ ...json, runs }))

  const { stderr } = await run(args)

  expect(stderr).toMatch(
    /^Continuing after 1 run in .*q\.json\. Runs without a change and failures are repeated\.\nNo policy can be blamed: .* in both/,
  )
  expect(Object.keys(JSON.parse(readFileSync(state, 'utf8')).runs).toSorted()).toEqual([
    'a=1 #1',
    'unchanged #1',
    'unchanged #2',
  ])
})

test.each([
  [
    ['--only', 'annotation.restore'],
    'no id of a service contains "annotation.restore". Did you mean annotations.restore?',
  ],
  [['--only', 'nosuchthing'], 'no id of a service contains "nosuchthing".'],
  [['--fail-on', 'nonsense'], /got "nonsense"\.$/],
])('%j ends with 2 before the command runs', async (flags, message) => {
  const { code, stderr } = await run(['sweep', ...flags, ...shell('exit 1')])

  expect(code).toBe(2)
  expect(stderr.trim()).toMatch(message)
})

test('a nested exec is refused, because its server is not swept', async () => {
  const { code, stderr } = await run(['sweep', '--', 'npx', 'understudy-api', 'exec', '--', 'true'])

  expect([code, stderr]).toEqual([
    2,
    'exec starts a server of its own, whose responses a sweep cannot change. Remove exec, and name its command after --.\n',
  ])
})
