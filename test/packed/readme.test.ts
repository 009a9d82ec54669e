import { type ExecFileException, exec as execIn, spawn } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { createSimulator } from '../../src/index.ts'
import { listen } from '../../src/node.ts'
import { root } from '../support/cli/command.ts'
import { exec } from '../support/exec.ts'
import { freePort } from '../support/free-port.ts'
import {
  readmeConsumer as consumer,
  consumerPath,
  installPackage,
  type Packed,
} from '../support/packed/consumers.ts'
import {
  codeBlocks,
  countClaims,
  documents,
  shellCommands,
  withClaims,
} from '../support/repository/readme.ts'
import { incidentHar } from '../support/scenarios/incident-har.ts'

// Runs every code block of the documents in a project that has installed the package. Blocks that are files of a project
// in test/consumers run there.
const inShell = promisify(execIn)
const cwd = consumerPath(consumer)
const blocks = documents.flatMap(codeBlocks)
const own = blocks.filter(({ isOfConsumer }) => !isOfConsumer)
const scripts = own.filter(({ language }) => language === 'ts')
const jsonBlocks = blocks.filter(({ language }) => language === 'json')
const stories = jsonBlocks.filter(({ text }) => text.includes('"steps"'))
const worlds = jsonBlocks.filter((block) => !stories.includes(block))
const commands = own.filter(({ language }) => language === 'sh').flatMap(shellCommands)
let packed: Packed
beforeAll(async () => {
  packed = await installPackage([consumer])
  // The project of a user: the worlds of the documents, and a test.
  for (const { name, text } of worlds) {
    writeFileSync(
      consumerPath(consumer, name.startsWith('TASKS') ? 'rows.json' : 'world.json'),
      text,
    )
  }
  for (const name of ['story.json', 'recorded.json', 'run.json']) {
    writeFileSync(consumerPath(consumer, name), stories[0]?.text ?? '')
  }
  writeFileSync(consumerPath(consumer, 'incident.har'), JSON.stringify(incidentHar))
  writeFileSync(consumerPath(consumer, 'settings.json'), '{"settings": {}, "open": {}}')
  mkdirSync(consumerPath(consumer, 'scenarios'), { recursive: true })
  const scenario = 'scenarios/soft-delete-and-restore.json'
  copyFileSync(join(root, scenario), consumerPath(consumer, scenario))
  writeFileSync(consumerPath(consumer, 'body.json'), '{"content": "Launch"}')
  for (const [from, to] of Object.entries({
    'certificate.pem': 'cert.pem',
    'key.pem': 'key.pem',
  })) {
    copyFileSync(`${root}test/support/cli/tls/${from}`, consumerPath(consumer, to))
  }
  mkdirSync(consumerPath(consumer, 'public'), { recursive: true })
  copyFileSync(
    `${root}test/adapters/har/archives/playwright.har`,
    consumerPath(consumer, 'session.har'),
  )
  // A fault can apply to its request.
  const program = `fetch(new URL('/api/projects/', process.env.UNDERSTUDY_URL)).catch(Boolean)`
  await exec('npm', ['pkg', 'set', `scripts.test=node -e "${program}"`], { cwd })
  for (const { name, text } of scripts) writeFileSync(consumerPath(consumer, `${name}.ts`), text)
  // Stubs for the storage of a browser, and for the comparison that replaces a line `expression // value`.
  writeFileSync(
    consumerPath(consumer, 'stubs.mjs'),
    `import assert from 'node:assert'
    const items = new Map()
    globalThis.sessionStorage = {
      getItem: (key) => items.get(key) ?? null,
      setItem: (key, value) => void items.set(key, value),
    }
    globalThis.__same = (got, value, line) => assert.deepEqual(got, value, line)`,
  )
  // The first test reports type errors. JavaScript is written anyway.
  compiled = compile()
  await compiled
})

let compiled: Promise<string>
async function compile(): Promise<string> {
  // The compiler of this repository is faster. Tests of the package compile the types with an older one.
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const flags = [
    ...['--strict', '--skipLibCheck', '--target', 'es2022', '--lib', 'es2023,dom,dom.iterable'],
    ...['--module', 'nodenext', '--types', 'node', '--exactOptionalPropertyTypes'],
    ...['--noUncheckedIndexedAccess', '--verbatimModuleSyntax'],
  ]
  const files = scripts.map(({ name }) => `${name}.ts`)
  const run = exec(process.execPath, [tsc, ...flags, ...files], { cwd })
  const { stdout } = await run.catch((error: ExecFileException) => error)
  return stdout ?? ''
}

test('every code block has a language that is tested here', () => {
  const languages = [...new Set(own.map(({ language }) => language))]

  expect(languages.sort()).toEqual(['json', 'sh', 'ts'])
})

test('the commands read the worlds and the scenario of the documents', () => {
  expect(worlds.map(({ name }) => name.replace(/-\d+$/, ''))).toEqual(['TASKS', 'fixtures-README'])
  expect(stories.length).toBe(1)
  for (const file of ['world.json', 'rows.json', 'story.json']) {
    expect(commands.filter((command) => command.includes(file)).length).toBeGreaterThan(2)
  }
})

test('the types of all scripts hold', async () => {
  expect(await compiled).toBe('')
})

test.each(scripts)(
  '$name runs, and its lines have the values of their comments',
  async ({ name }) => {
    const code = readFileSync(consumerPath(consumer, `${name}.js`), 'utf8')
    writeFileSync(consumerPath(consumer, `${name}.mjs`), withClaims(code))

    const { stderr } = await exec(process.execPath, ['--import', './stubs.mjs', `${name}.mjs`], {
      cwd,
    })

    expect(stderr).toBe('')
  },
)

test('comments in the scripts are compared with values', () => {
  const claims = scripts.map(countClaims)

  expect(claims.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(25)
})

/** How to test each shell command, by its beginning. */
const ways: readonly (readonly [RegExp, (command: string) => unknown])[] = [
  [
    // These commands run the tests themselves.
    /^npm (start|test|run \w+)( -- .*)?$/,
    (command) =>
      expect(packageJson.scripts).toHaveProperty(command.replace(/^npm (run )?| -- .*/g, '')),
  ],
  [
    /^npx vitest --config /,
    (command) => expect(existsSync(join(root, command.split(' ').at(-1) ?? ''))).toBe(true),
  ],
  [
    // test/consumers/vite-react runs the page in this mode.
    /^npx vite --mode /,
    (command) =>
      expect(readFileSync(join(root, 'test/consumers/vite-react/main.tsx'), 'utf8')).toContain(
        command,
      ),
  ],
  [
    // The package is installed already.
    /^npm pack --silent$/,
    () => expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain(packed.filename),
  ],
  [
    /^npm install /,
    (command) => expect(command).toContain(`PATH-TO-CLONE/${packed.filename} msw@2`),
  ],
  [
    // There may be no Python.
    /^npx understudy-api exec --intercept /,
    (command) => inShell(command.replace('python3 deploy.py', 'node --version'), { cwd }),
  ],
  [
    // test/integrations/vitest runs the reporter.
    /^npx vitest run --reporter=/,
    (command) => {
      const [, reporter = ''] = /--reporter=understudy-api(\S+)$/.exec(command) ?? []
      expect(Object.keys(packageJson.exports)).toContain(`.${reporter}`)
    },
  ],
  [
    // It ends, because the server does.
    /^node_modules\/\.bin\/understudy-api serve .*; kill \$!; exit \$code$/,
    async (command) => inShell(command.replaceAll('4010', String(await freePort())), { cwd }),
  ],
  [/^npx understudy-api (compare|explain \d+) --target /, asksServer],
  // An existing test is not overwritten.
  [/^npx understudy-api import .* --as /, (command) => inShell(`${command} --force`, { cwd })],
  // It exits with 1 if something of --fail-on was found.
  [/^npx understudy-api compare /, (command) => inShell(`${command} || test $? -eq 1`, { cwd })],
  // It ends with its input.
  [/^npx understudy-api mcp/, (command) => inShell(`${command} < /dev/null`, { cwd })],
  [/^npx understudy-api serve /, startsAndEnds],
  [/^npx understudy-api record /, recordsAndEnds],
  // `npm test` runs in the project of the user, whose test uses UNDERSTUDY_URL.
  [/^npx understudy-api /, (command) => inShell(command, { cwd })],
  [/^curl /, asksServer],
  [
    // There may be no Docker. test/repository/container.test.ts checks the Dockerfile.
    /^(UNDERSTUDY_TOKEN=\S+ )?docker (compose up|run) /,
    (command) => expect(command).toContain('UNDERSTUDY_TOKEN='),
  ],
  [
    /^docker build -t understudy-api:\S+ \.$/,
    () => expect(existsSync(join(root, 'Dockerfile'))).toBe(true),
  ],
  [/^jq /, (command) => inShell(`! command -v jq || ${command}`, { cwd })],
]

test.each(commands)('%s', async (command) => {
  const [, run] = ways.find(([pattern]) => pattern.test(command)) ?? []

  expect(run).toBeDefined()
  await run?.(command)
})

/** Starts a command on a free port. The port of the README may be in use. */
async function startsAndEnds(command: string): Promise<void> {
  const args = command.replace('npx understudy-api ', '').replace('--port 4010', '')
  const file = consumerPath(
    consumer,
    'node_modules',
    'understudy-api',
    packageJson.bin['understudy-api'],
  )
  const child = spawn(process.execPath, [file, ...wordsOf(args), '--port', '0'], { cwd })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = new Promise((resolve) => child.once('exit', resolve))

  const printed = await Promise.race([
    new Promise((resolve) => child.stdout.once('data', resolve)),
    ended,
  ])
  child.kill('SIGTERM')

  expect(String(printed)).toMatch(/https?:\/\/(127\.0\.0\.1|localhost):/)
  expect(await ended).toBe(0)
}

/** Starts a command in front of a server on a free port. */
async function recordsAndEnds(command: string): Promise<void> {
  const server = await listen(createSimulator())
  onTestFinished(() => server.close())
  await startsAndEnds(command.replace('http://127.0.0.1:4010', server.url))
}

/** Runs a command against a server that gets requests until the command has ended. */
const keys: Readonly<Record<string, string>> = {
  phx_mine: 'phx_all',
  phx_1: 'phx_all',
  phx_2: 'phx_plugin_read',
  phx_3: 'phx_none',
}

/** Sends the requests of a command to a server on a free port, with keys that it has. */
async function asksServer(command: string): Promise<void> {
  const simulator = createSimulator()
  // The fault and the key that an earlier command of the document creates.
  if (command.includes('/fault-1'))
    simulator.faults.add({ operation: 'listPlugins', effect: { hold: true } })
  // The requests that the server received before.
  const [, entry = 0] = /explain (\d+) /.exec(command) ?? []
  for (let id = 1; id <= Number(entry); id += 1)
    await simulator.fetch('http://localhost/api/projects/')
  if (/phx_worker_1' http/.test(command)) simulator.keys.issue({ value: 'phx_worker_1' })
  const server = await listen(simulator)
  onTestFinished(() => server.close())
  const local = command
    .replace(/http:\/\/127\.0\.0\.1:(?:4010|8080)|https:\/\/\w+\.example\.com/, server.url)
    .replace(/phx_(?:mine|\d)\b/g, (name) => keys[name] ?? name)
    .replace(' compare ', ' compare --rate 1000 ')

  expect(local).not.toBe(command)
  await inShell(local.replace('curl', 'curl --fail'), { cwd })
}

/** Splits a command into words, like a shell. Quotes group words. */
function wordsOf(text: string): string[] {
  return text.match(/'[^']*'|\S+/g)?.map((word) => word.replaceAll("'", '')) ?? []
}
