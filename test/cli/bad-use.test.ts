import { expect, test } from 'vitest'
import { run } from '../support/cli/command.ts'

const noFile =
  'Failed to read the world: expected a file that can be read, or one of default, empty, odd, crowded, got '
const more = 'understudy --help lists what it takes.'

const badUses: readonly [args: string[], message: string][] = [
  [
    ['--prot', '1'],
    `Failed to read the command line: unknown option '--prot'. Did you mean --port? ${more}`,
  ],
  [
    ['serve', 'more'],
    'Failed to serve: expected flags only, got "more". Did you mean --data more?',
  ],
  [
    ['--port'],
    `Failed to read the command line: option '--port <number>' argument missing. ${more}`,
  ],
  [
    ['--port', 'many'],
    'Failed to read --port (or UNDERSTUDY_PORT): expected a port from 0 to 65535, got "many".',
  ],
  [
    ['--port', '65536'],
    'Failed to read --port (or UNDERSTUDY_PORT): expected a port from 0 to 65535, got "65536".',
  ],
  [
    ['--port', '-1'],
    'Failed to read --port (or UNDERSTUDY_PORT): expected a port from 0 to 65535, got "-1".',
  ],
  [
    ['record', '--target', 'http://127.0.0.1:9', '--out', 'x.json', '--port', 'many'],
    'Failed to read --port: expected a port from 0 to 65535, got "many".',
  ],
  [
    ['--token', '', '--port', '0'],
    'Failed to guard the control API: expected a token of letters, digits and signs, without space around them, got "".',
  ],
  [
    ['--scenarios', '/nowhere', '--port', '0'],
    'Failed to list scenarios: expected a folder that can be read, got "/nowhere (ENOENT)".',
  ],
  [
    ['replay', 'story.json', '--out', 'report.xml'],
    'Failed to read --out: expected it beside --report, got "report.xml".',
  ],
  [
    ['policies', 'annotatons'],
    'Failed to list policies: expected a text that some id holds, got "annotatons". Did you mean annotations?',
  ],
  [
    ['serve', '--require-token', '--token', ''],
    'Failed to serve: expected a token for the control API, since --require-token (or UNDERSTUDY_REQUIRE_TOKEN) asks for one, got none. Set UNDERSTUDY_TOKEN, or --token.',
  ],
  [
    ['--seed', '1.5'],
    'Failed to read --seed (or UNDERSTUDY_SEED): expected a whole number, got "1.5".',
  ],
  [['--lane', 'msw'], '"--lane" was removed. Pass `lane` to `listen()`.'],
  [['serve', '--lane=msw'], '"--lane" was removed. Pass `lane` to `listen()`.'],
  [['serve', '--stock'], '"--stock" was removed. Pass `stock` to `listen()`.'],
  [
    ['doctor', '--port', '0'],
    '"understudy doctor" was removed. Run `understudy serve`: it says what is wrong and what to do.',
  ],
  [
    ['completion', 'bash'],
    '"understudy completion" was removed. `understudy COMMAND --help` lists commands and flags.',
  ],
  [
    ['--profile', 'lvie'],
    'Failed to choose a profile: expected one of documented, live, got "lvie". Did you mean live?',
  ],
  [
    ['--policy', 'methods.put'],
    'Failed to read --policy (or UNDERSTUDY_POLICY): expected id=value, got "methods.put".',
  ],
  [
    ['--policy', 'method.put=on'],
    'Failed to set a policy: expected the id of a policy (understudy policies lists them), got "method.put". Did you mean methods.put?',
  ],
  [
    ['--policy', 'methods.put=yes'],
    'Failed to set methods.put: expected one of off, on, got "yes".',
  ],
  [
    ['--policy', 'limits.body=12=3'],
    'Failed to set limits.body: expected a whole number from 1 to 536870912, got "12=3".',
  ],
  [
    ['--fault', 'flakey'],
    'Failed to read a fault: expected a preset (flaky, slow-3g, outage, read-only) or a rule as JSON, got "flakey". Did you mean flaky?',
  ],
  [
    ['--fault', '{"effect": {"eror": "throttled"}}'],
    'Failed to add a fault: expected an effect of error,',
  ],
  [
    ['--clock', 'noon'],
    'Failed to set the clock: expected an ISO 8601 time such as 2024-06-01T00:00:00Z, got "noon".',
  ],
  [['--data', 'nope.json'], `${noFile}"nope.json".`],
  [['--data', 'defualt'], `${noFile}"defualt". Did you mean default?`],
  [['--data', '/'], `${noFile}"/ (a folder)".`],
  [
    ['--host', 'nobody.invalid'],
    'Failed to listen on nobody.invalid: expected an address of this machine and a port that may be used, got E',
  ],
  [
    ['--host', '192.0.2.1'],
    'Failed to listen on 192.0.2.1: expected an address of this machine and a port that may be used, got EADDRNOTAVAIL. Choose others with --host and --port.',
  ],
  [
    ['validate'],
    `Failed to read the command line: missing required argument 'file'. understudy validate --help lists what it takes.`,
  ],
  [['validate', 'nope.json'], `${noFile}"nope.json".`],
  [
    ['init'],
    `Failed to read the command line: missing required argument 'folder'. understudy init --help lists what it takes.`,
  ],
  [
    ['init', 'nowhere'],
    'Failed to write the worker file: expected a folder, got nowhere, which is not there.',
  ],
]

test.each(badUses)('%j ends with 2, and the message says what to do', async (args, message) => {
  const { code, stdout, stderr } = await run(args, { UNDERSTUDY_PORT: '0' })

  expect([code, stdout]).toEqual([2, ''])
  expect(stderr.startsWith(message), stderr).toBe(true)
  expect(stderr.trimEnd().split('\n')).toHaveLength(1)
})

test('a command that there is none of is answered with those that there are', async () => {
  const { stdout: help } = await run(['--help'])
  const listed = [...help.slice(help.indexOf('Commands:')).matchAll(/^ {2}(\w+) /gm)]
  const commands = listed.map(([, name]) => name).filter((name) => name !== 'help')

  const { code, stderr } = await run(['srve'])

  expect(commands).toEqual(expect.arrayContaining(['serve', 'exec', 'replay']))
  expect([code, stderr]).toEqual([
    2,
    `Failed to run: expected a command: ${commands.join(', ')}, got "srve". Did you mean serve?\n`,
  ])
})

test('a file in the place of a command is most often the world', async () => {
  const { code, stderr } = await run(['./world.json'])

  expect(code).toBe(2)
  expect(stderr).toMatch(/, got "\.\/world\.json"\. Did you mean serve --data \.\/world\.json\?\n$/)
})

test('a bad variable is named as well', async () => {
  const { code, stderr } = await run([], { UNDERSTUDY_PORT: 'many' })

  expect([code, stderr]).toEqual([
    2,
    'Failed to read --port (or UNDERSTUDY_PORT): expected a port from 0 to 65535, got "many".\n',
  ])
})

test('a variable of a flag without a value says yes or no', async () => {
  const { code, stderr } = await run([], { UNDERSTUDY_QUIET: 'perhaps' })

  expect([code, stderr]).toEqual([
    2,
    'Failed to read UNDERSTUDY_QUIET: expected one of 1, true, 0, false, got "perhaps".\n',
  ])
})
