import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { run } from '../support/cli/command.ts'

const usage = 'Run npx understudy-api --help for usage.'

/** Command lines, in which `''` is an empty argument, and how their messages start. */
const badUses: Readonly<Record<string, string | RegExp>> = {
  '--prot 1': `Unknown option "--prot". Did you mean --port? ${usage}`,
  '--port': `Option "--port <number>" argument missing. ${usage}`,
  'serve serv': 'Unexpected argument "serv". Name a world with --world.',
  'serve deflaut': 'Unexpected argument "deflaut". Did you mean --world default?',
  'serve ./$w.json': 'Unexpected argument "./$w.json". Did you mean --world \'./$w.json\'?',
  'help serv': 'Unknown command "serv". Did you mean serve? The commands are ',
  exec: 'The command to run is missing. Write it after --: npx understudy-api exec -- npm test.',
  sweep: 'The command to run is missing. Write it after --: npx understudy-api sweep -- npm test.',
  validate: 'Missing required argument "file". Run npx understudy-api validate --help for usage.',
  'validate delete-not-alowed': `File delete-not-alowed not found: expected one of default, empty, odd, crowded, a scenario of the package, or a file (looked in ${resolve('delete-not-alowed')}). Did you mean "delete-not-allowed"?`,
  'validate a.json b.json':
    'Expected 1 argument but got 2. Run npx understudy-api validate --help for usage.',
  'replay --delay 500 a.json': 'Unknown option "--delay". Run',
  'serve --json=1': '--json takes no value. Run npx understudy-api serve --help for usage.',
  './$w.json': 'Unknown command "./$w.json". Did you mean serve --world \'./$w.json\'? ',
  '--port 65536':
    'Failed to read --port (or UNDERSTUDY_PORT): expected a port from 0 to 65535, got "65536".',
  '--redact x-session, --port 0':
    'Failed to read --redact (or UNDERSTUDY_REDACT): expected names with commas between, got "x-session,".',
  'record --target nowhere --out x.json':
    'Failed to read --target: expected an http URL without user, query and hash, such as https://app.example.com, got "nowhere".',
  'record --target http://a.test/#x --out x.json':
    'Failed to read --target: expected an http URL without user, query and hash, such as https://app.example.com, got "http://a.test/#x".',
  'record --target http://me@a.test --out x.json':
    'Failed to read --target: expected an http URL without user, query and hash, such as https://app.example.com, got "http://…@a.test".',
  "--token '' --port 0": /^Failed to listen: token: expected ASCII letters/,
  'replay scenarios/scenario.schema.json':
    'scenarios/scenario.schema.json is a schema, not a scenario.',
  'settings annotatons': 'No setting id contains "annotatons". Did you mean annotations?',
  'sweep --port 4010 -- true': '--port is a flag of serve, exec, record and mcp, not of sweep.\n',
  'exec --state x.json -- true': '--state is a flag of serve and mcp, not of exec.\n',
  '--record x.json': '--record is a flag of exec, not of serve.\n',
  'explain GET /api/projects/ --redact x':
    '--redact is a flag of serve, exec, sweep, replay, record, import and mcp, not of explain.',
  'mcp --host 0.0.0.0': '--host is a flag of serve and exec, not of mcp.',
  '--seed 1.5': 'Failed to read --seed (or UNDERSTUDY_SEED): expected up to 15 digits, got "1.5".',
  '--handlers nowhere.mjs': /^nowhere\.mjs not found \(looked [^?]*$/,
  '--clock ticking:2024-02-30':
    'Failed to read --clock (or UNDERSTUDY_CLOCK): expected real, a time to freeze at such as 2024-06-01T12:00:00Z, or ticking:<time>, got "ticking:2024-02-30".',
  '--profile lvie':
    'Failed to read --profile (or UNDERSTUDY_PROFILE): expected one of documented, live, got "lvie". Did you mean live?',
  '--set methods.put':
    'Failed to read --set (or UNDERSTUDY_SET): expected id=value, got "methods.put".',
  '--fault flakey':
    'Failed to read a fault: expected a preset (flaky, throttled, lost-create, failed-page, slow-3g, outage, read-only), or a rule as JSON, got "flakey". Did you mean flaky?',
  '--fault {"effect":': /expected a preset \(.*\), or a rule as JSON/,
  '--scenarios package.json --port 0':
    'package.json is not a folder. Name the folder of the scenarios.',
  'replay scenarios/key-limited-to-a-project.json --target http://127.0.0.1:1 --key annotation=':
    'Failed to read --key: expected a key, or label=value, got no value.\n',
  'replay x.json --key team=a=phx_x --report r.html':
    /^Failed to read --report: expected a file that ends/,
  'replay delete-not-allowed --key phx_all': '--key requires --target.\n',
  '--clock tickng:2024-06-01': /got "tickng:2024-06-01"\. Did you mean ticking:2024-06-01\?$/,
  "--state ''": 'Failed to read --state: expected the name of a file, got "".',
  "--host ''": 'Failed to listen: host: expected an address such as 127.0.0.1, got "".',
  '--scenario delete-not-allowed --state x.json':
    '--scenario <file|name> cannot be used with --state <file>.',
  '--scenario delete-not-allowed --fault flaky --world empty':
    '--world has no effect, because the scenario has its own world.',
  '--world defualt': /defualt.* Did you mean "default"\?$/,
  'compare file.har':
    'Unexpected argument "file.har". Name a service with --target. For a recording, npx understudy-api import FILE names',
  'compare --target http://127.0.0.1:1': 'Pass a key of the server with --key.',
  'compare --target nowhere --key phx_all': 'Failed to compare: expected a URL such as',
  'explain GET api/projects/':
    /expected a path that starts with \/.* Did you mean \/api\/projects\/\?/,
  'explain GET /__admin/health': /expected a path of the API/,
  'explain GET /api/projects/1/annotations/ --key anotations':
    'Failed to read --key: expected one of all, annotations, annotation:read, annotation:write, plugins, plugin:read, plugin:write, none, old, project_1, or a value that starts with phx_, got "anotations". Did you mean annotations?',
  'explain GET /api/projects/1/annotations/ --body {}':
    'This request cannot be sent: Request with GET/HEAD method cannot have body.',
  'explain POST /api/projects/1/annotations/ --body @missing.json': /^missing\.json not found/,
  'explain GET': 'Name a method and a path, such as GET /api/projects/.',
  // exec and sweep would end with 1 if they ran the command.
  'exec --set nope=1 -- false': /^Failed to read --set .*: nope: unknown setting\./,
  'exec --env API -- false': /expected NAME=url, got "API"/,
  'exec --env API=ulr -- false':
    /expected one of url, key, port, project_id, organization_id, got "ulr"\./,
  'exec --report run.html -- false':
    'Failed to read --report: expected a file that ends with one of .json, .txt, .xml, got "run.html".',
  'exec --report package.json/run.txt -- false':
    'Failed to write package.json/run.txt: part of its path is a file (ENOTDIR). Choose another file.',
  'exec --fail-on asumed -- false':
    /^Failed to read --fail-on \(or UNDERSTUDY_FAIL_ON\): expected one of assumed, source, .*, none, got "asumed"\. Did you mean assumed\?/,
  'sweep --jobs 0 -- false':
    'Failed to read --jobs: expected a whole number from 1 to 999999, got "0".',
  'sweep --fail-on assumd -- false':
    'Failed to read --fail-on: expected one of source, assumed, contradicted, none, got "assumd". Did you mean assumed?',
  'sweep --only annotation.restore -- false':
    /no SETTING=VALUE that it tries contains "annotation\.restore"\. Did you mean annotations\.restore\?/,
  'sweep -- ./no-such-command': 'Command not found: ./no-such-command.',
  '--port 65535 --watch --world odd':
    '--watch reloads the file of a world: name one with --world, without --scenario.',
  '--host 192.0.2.1':
    'Failed to listen on 192.0.2.1, port 0 (EADDRNOTAVAIL). Choose an address of this machine and a port that you may use.',
  'record --target http://127.0.0.1:1': 'Required option "--out <file>" not specified.',
}

test.each(Object.entries(badUses))('%s ends with 2, and says what to do', async (line, message) => {
  const args = line.split(' ').map((argument) => (argument === "''" ? '' : argument))
  const { code, stdout, stderr } = await run(args, { UNDERSTUDY_PORT: '0' })

  expect([code, stdout]).toEqual([2, ''])
  expect(stderr.trimEnd().split('\n')).toHaveLength(1)
  if (message instanceof RegExp) expect(stderr.trimEnd()).toMatch(message)
  else expect(stderr.startsWith(message), stderr).toBe(true)
})

test('an unknown command lists the commands', async () => {
  const { stdout: help } = await run(['help', '--help'])
  const listed = [...help.slice(help.indexOf('Commands:')).matchAll(/^ {2}(\w+) /gm)]
  const commands = listed.map(([, name]) => name).filter((name) => name !== 'help')

  const { code, stderr } = await run(['srve'])

  expect(commands).toEqual(expect.arrayContaining(['serve', 'exec', 'replay']))
  expect([code, stderr]).toEqual([
    2,
    `Unknown command "srve". Did you mean serve? The commands are ${commands.join(', ')}.\n`,
  ])
})

test('the variable of a boolean flag is 1, true, 0 or false', async () => {
  const { code, stderr } = await run([], { UNDERSTUDY_QUIET: 'perhaps' })
  const both = await run(['--scenario', 'delete-not-allowed'], { UNDERSTUDY_STATE: 'x.json' })

  expect([code, stderr]).toEqual([
    2,
    'Failed to read UNDERSTUDY_QUIET: expected one of 1, true, yes, on, 0, false, no, off, got "perhaps".\n',
  ])
  expect(both.stderr).toMatch(/^--scenario <file\|name> cannot be used with UNDERSTUDY_STATE\. /)
})
