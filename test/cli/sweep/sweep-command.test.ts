import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { run } from '../../support/cli/command.ts'
import { shellClient as client } from '../../support/cli/shell-client.ts'
import { temporaryFile, temporaryFolder } from '../../support/files.ts'

test('sweep names the setting that breaks a command, with its evidence, also in reports, and exits with 1', async () => {
  const program = 'ask GET "$list"6/; [ $status = 404 ]'
  const reports = ['json', 'xml', 'txt'].map((name) => `${temporaryFolder()}/report.${name}`)
  const flags = ['--only', 'deleted.visibility', '--jobs', '2', '--redact', 'ticket']

  const { code, stdout, stderr } = await run([
    ...['sweep', ...flags, ...reports.flatMap((file) => ['--report', file])],
    ...client(program, '--ticket=abc123'),
  ])
  const [json = '', xml, txt] = reports.map((file) => readFileSync(file, 'utf8'))

  expect(code).toBe(1)
  expect(stderr.split('\n')).toEqual([
    expect.stringMatching(/^Trying 2 other services, 2 at once: about \d+ s\.$/),
    ...reports.map((file) => `The report is in ${file}.`),
    '',
  ])
  const [table, dependence, summary] = stdout.trimEnd().split('\n\n')
  expect(table).toBe(
    [
      'Setting                         Value   Evidence  Breaks with          Passes with  Not tested',
      'annotations.deleted.visibility  hidden  source    retrievable, listed  -            -',
      'Not listed: settings that the simulator did not read, and those of which no other value was tried.',
    ].join('\n'),
  )
  expect(dependence).toMatch(
    /^Your client depends on `annotations\.deleted\.visibility = hidden` \(from the service's source, not from the documentation\): the command fails with `retrievable`; the command fails with `listed`\.\n {2}annotations\.deleted\.visibility=retrievable: Only GET …\/annotations\/:id returns them, with deleted: true\. \(assumed: unknown; a robust client tolerates it\)\n {2}first response of the run that differs: GET \/api\/projects\/1\/annotations\/6\/ → 200 instead of 404\n/,
  )
  expect(dependence).toMatch(/with what you wrote for each …: npx .*=retrievable -- /)
  expect(summary).toEqual(
    expect.stringMatching(
      /^The simulator read \d+ of \d+ settings\. 2 other services tried: 1 dependence \(1 source\)\.$/,
    ),
  )
  expect(JSON.parse(json)).toMatchObject({
    interrupted: false,
    dependences: [{ kind: 'source', breaks_with: { 1: 'annotations.deleted.visibility=listed' } }],
    runs: [{ outcome: 'failed' }, { outcome: 'failed' }],
  })
  expect(xml).toContain('tests="2" failures="2"')
  expect(txt).toContain(' -- --ticket=…')
  expect(txt).toContain('Your client depends on `annotations.deleted.visibility = hidden`')
})

test('a command that fails by itself, or sometimes, is named before a setting is blamed', async () => {
  const failing = `ask GET $list; echo '${'x'.repeat(4_000)} no luck' >&2; exit 3`
  const reports = ['json', 'xml', 'txt'].map((name) => `${temporaryFolder()}/report.${name}`)
  const flags = ['--jobs', '1', '--json', ...reports.flatMap((file) => ['--report', file])]
  const secret = '--password=hunter22'
  const flaky = 'printf x >> "$1"; ask GET $list; runs=$(wc -c < "$1"); '
  const results = [
    await run(['sweep', '--jobs', '2', ...client(failing)]),
    await run(['sweep', ...client('')]),
    await run(['sweep', ...flags, ...client('exit 1', secret)]),
    await run(['sweep', '--jobs', '1', ...client(`${flaky}exit $((runs % 2))`, temporaryFile(''))]),
    await run([
      ...['sweep', '--jobs=1', '--only=deleted.'],
      ...client(`${flaky}exit $((runs == 3 || runs == 5))`, temporaryFile('')),
    ]),
  ]
  const written = reports.map((file) => readFileSync(file, 'utf8'))
  const third = client(`${flaky}exit $((runs == 3))`, temporaryFile(''))
  const xml = `${temporaryFolder()}/third.xml`
  await run(['sweep', '--jobs', '1', '--only', 'visibility=listed', '--report', xml, ...third])

  expect(results.map(({ code, stderr }) => [code, stderr.includes('No setting')])).toEqual(
    results.map(() => [1, false]),
  )
  expect(results[2]?.stdout).toContain('"verdict": "failing"')
  expect(readFileSync(xml, 'utf8')).toMatch(/tests="1" failures="0"/)
  expect(results[0]?.stdout).toBe(
    'No setting can be blamed: without a change, the command fails (exit code 3) in both of two runs. Runs happened at once: if they disturb each other, add --jobs 1.\n' +
      `The end of its output:\n${'x'.repeat(3_991)} no luck\n`,
  )
  expect(results[1]?.stdout).toMatch(
    /^No setting can matter, because the command sent no request to UNDERSTUDY_URL, or to a simulator of/,
  )
  expect(JSON.parse(`${results[2]?.stdout}`).problem).toMatch(
    /^No setting can be blamed: without a change, the command fails in both of two runs\. Also, the command sent no request to UNDERSTUDY_URL, or to a simulator of/,
  )
  expect(results[3]?.stdout).toBe(
    'No setting can be blamed, because the command is flaky: without a change, the command fails in 1 of 2 runs.\n',
  )
  expect(results[4]?.stdout).toContain(' it both failed and passed with 2 other services.')
  for (const text of [...written, results[2]?.stdout]) expect.soft(text).not.toContain('hunter22')
  for (const text of written) expect.soft(text).toContain('No setting can be blamed')
})
