import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run, startCommand } from '../../support/cli/command.ts'
import { temporaryFolder } from '../../support/files.ts'
import { client } from './client-program.ts'

const sweep = (flags: readonly string[], program: string, ...args: readonly string[]) =>
  run(['sweep', ...flags, ...client(program, ...args)])

test('a flaky command is named before a policy is blamed', async () => {
  const marker = join(temporaryFolder(), 'marker')
  const program = `
    const { appendFileSync, readFileSync } = await import('node:fs')
    const file = process.argv.at(-1)
    appendFileSync(file, 'x')
    await ask(list)
    process.exitCode = readFileSync(file, 'utf8').length % 2`

  const { code, stderr } = await sweep(['--jobs', '1'], program, marker)

  expect([code, stderr]).toEqual([
    1,
    'No policy can be blamed, because the command is flaky: without a change, the command fails in 1 of 2 runs.\n',
  ])
})

test('a tolerant command has no dependence, and --fail-on none forgives one', async () => {
  const tolerant = await sweep(
    ['--only', 'headers.'],
    `process.exitCode = await ask(list) < 500 ? 0 : 1`,
  )
  const forgiven = await sweep(
    ['--only', 'projects.list.scope', '--fail-on', 'none'],
    `process.exitCode = await ask('/api/projects/') === 200 ? 0 : 1`,
  )

  expect(tolerant.code).toBe(0)
  expect(tolerant.stdout).toContain('1 other service tried: nothing breaks the command.')
  expect(forgiven.code).toBe(0)
  expect(forgiven.stdout).toContain('(an assumption, but the live service was seen with `refused`)')
  expect(forgiven.stdout).toContain('any_key  assumed (seen: refused)  refused')
})

test('a command that does not end is a failure of that value, and all of its processes end', async () => {
  const file = join(temporaryFolder(), 'late')
  const program = `
    const { spawn } = await import('node:child_process')
    if (await ask(list + '6/') !== 404) {
      const wait = 'setTimeout(() => require("fs").writeFileSync(process.argv[1], ""), 4000)'
      spawn(process.execPath, ['-e', wait, process.argv.at(-1)])
      await new Promise(() => setInterval(() => {}, 1000))
    }`

  const { code, stdout } = await sweep(
    ['--only', 'visibility=retrievable', '--timeout', '2s'],
    program,
    file,
  )
  await new Promise((resolve) => setTimeout(resolve, 4_000))

  expect(code).toBe(1)
  expect(stdout).toContain('the command does not end within 2 s with `retrievable`')
  expect(existsSync(file)).toBe(false)
})

test('--junit names the tests that fail, with a report for each run', async () => {
  const program = `
    const { writeFileSync } = await import('node:fs')
    const failed = await ask(list + '6/') !== 404
    const [file] = process.argv.at(-1).split('=').slice(-1)
    const failure = failed ? '<failure message="no"/>' : ''
    writeFileSync(file, '<testsuites><testsuite><testcase classname="a &amp; b" name="polls">' + failure +
      '</testcase><testcase name="other"/></testsuite></testsuites>')
    process.exitCode = failed ? 1 : 0`
  const flags = ['--only', 'visibility', '--junit', 'junit.xml', '--jobs', '2']

  const { stdout } = await sweep(flags, program, '--outputFile=junit.xml')

  expect(stdout).toContain('1 test fails with `retrievable`; 1 test fails with `listed`.')
  expect(stdout).toContain('\n  fails: a & b > polls\n')
})

test('--scopes finds the least scopes of each key', async () => {
  const program = `
    const read = await ask(list)
    const write = await ask(list, 'POST', '{"content":"x","scope":"dashboard"}')
    const repository = await ask('/api/organizations/' + env.UNDERSTUDY_ORGANIZATION_ID + '/plugins/repository/')
    process.exitCode = read === 200 && write === 400 ? 0 : 1`

  const { code, stdout } = await sweep(['--only', 'annotations.scope', '--scopes'], program)

  expect(code).toBe(1)
  expect(stdout).toContain(
    [
      'Key all needs only annotation:read, annotation:write. It has full access.',
      'The documentation does not name the scope of listPluginRepository.',
    ].join('\n'),
  )
})

test('--pairwise names two values that break a command only together', async () => {
  const program = `
    const row = await ask(list + '6/')
    const project = await fetch(env.UNDERSTUDY_URL + '/api/projects/')
    process.exitCode = row === 200 && project.status === 403 ? 1 : 0`

  const { code, stdout } = await sweep(['--pairwise', '--seed', '3', '--json'], program)

  expect(code).toBe(1)
  const { dependences } = JSON.parse(stdout)
  expect(dependences.map(({ on }: { on: string }) => on)).toEqual([
    'annotations.deleted.visibility=listed and keys.missing.status=403',
    'annotations.deleted.visibility=retrievable and keys.missing.status=403',
  ])
})

test('an interrupted sweep prints what it knows, exits with 130, and continues', async () => {
  const folder = temporaryFolder()
  const [state, marker] = [join(folder, 'state.json'), join(folder, 'marker')]
  const program = `
    const { appendFileSync } = await import('node:fs')
    appendFileSync(process.argv.at(-1), 'x')
    process.exitCode = await ask(list + '6/') === 404 ? 0 : 1`
  const args = ['sweep', '--state', state, '--jobs', '1', ...client(program, marker)]
  const runs = (): number => (existsSync(marker) ? readFileSync(marker, 'utf8').length : 0)

  const command = startCommand(args)
  await expect.poll(() => runs(), { timeout: 20_000 }).toBeGreaterThan(9)
  const interrupted = await command.stop('SIGINT')
  const before = runs()
  const continued = await run(args)
  const total = runs()
  const whole = await run(args)

  expect(interrupted.code).toBe(130)
  expect(interrupted.stdout).toContain('annotations.deleted.visibility  hidden')
  expect(interrupted.stdout).toContain('Interrupted. The simulator read ')
  expect(interrupted.stdout).toContain(
    'Not confirmed: the command fails with `annotations.deleted.visibility=',
  )
  expect(interrupted.stdout).not.toContain('Your client depends on')
  expect(interrupted.stderr).toContain(
    `The results are in ${state}. Run the same command to continue.`,
  )
  expect(continued.code).toBe(1)
  expect(continued.stderr).toMatch(
    /^Continuing after \d+ runs in .* Runs without a change and failures are repeated\.\n/,
  )
  expect(continued.stdout).toBe(whole.stdout)
  expect(whole.stderr).toMatch(/^Trying \d+ other services, 1 at once\.\n/)
  // A run that was interrupted counts twice, as do the runs that are repeated.
  expect(total - before).toBeLessThan(runs() - total - 2)
  writeFileSync(
    state,
    JSON.stringify({ kind: 'understudy sweep', of: {}, complete: false, runs: {} }),
  )
  expect((await run(args)).stderr).toContain('has the state of another sweep: the command, ')
})

test('the report is a JSON, JUnit, SARIF or HTML file', async () => {
  const folder = temporaryFolder()
  const file = (extension: string): string => join(folder, `report.${extension}`)
  const flags = ['json', 'xml', 'sarif', 'html'].flatMap((name) => ['--report', file(name)])
  const read = (extension: string): string => readFileSync(file(extension), 'utf8')

  await sweep(
    ['--only', 'visibility', ...flags],
    `process.exitCode = await ask(list + '6/') === 404 ? 0 : 1`,
  )

  expect(JSON.parse(read('json'))).toMatchObject({
    interrupted: false,
    dependences: [{ on: 'annotations.deleted.visibility', kind: 'observed' }],
    runs: [{ outcome: 'failed' }, { outcome: 'failed' }],
  })
  expect(read('xml')).toContain('tests="2" failures="2"')
  expect(JSON.parse(read('sarif')).runs[0].results).toMatchObject([
    { ruleId: 'annotations.deleted.visibility', level: 'warning' },
  ])
  expect(read('html')).toContain('What the client needs')
})

test('--responses names variants of responses that break a command, and fields of which none was noticed', async () => {
  const program = `
    const headers = { authorization: 'Bearer ' + env.UNDERSTUDY_KEY }
    const row = await (await fetch(env.UNDERSTUDY_URL + list + '1/', { headers })).json()
    process.exitCode = row.created_by.id > 0 ? 0 : 1`

  const { code, stdout } = await sweep(['--responses', '--only', 'variant.annotation.c'], program)

  expect(code).toBe(1)
  expect(stdout).toContain(
    'Your client needs that created_by is never null in the responses of retrieveAnnotation, but the live service was seen otherwise (null in the live service. The documentation does not say whether it may be null): the command fails.',
  )
  expect(stdout).toContain(
    'To see it fail: npx understudy-api exec --fault variant:annotation.created_by=null -- ',
  )
  expect(stdout).toMatch(
    /No change of \d+ fields was noticed\. Fields .*\n(?: {2}.*\n)* {2}annotation\.content\n/,
  )
})
