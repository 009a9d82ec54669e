import { spawn } from 'node:child_process'
import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { authorization } from '../support/api/headers.ts'
import { root } from '../support/cli/command.ts'
import { exec } from '../support/exec.ts'
import {
  type Consumer,
  consumerPath,
  consumers,
  installConsumer,
  nodeOf,
  packed,
  tarball,
} from '../support/packed/consumers.ts'

const { files, size } = packed
beforeAll(async () => {
  for (const consumer of consumers) await installConsumer(consumer)
})

const scripts: readonly { readonly script: string; readonly prints: object }[] = [
  {
    script: 'main.mjs',
    prints: {
      count: 6,
      created: [201, 'Größer 🦔'],
      removed: [405, 'GET, PATCH, HEAD, OPTIONS'],
      head: 200,
      bare: 200,
      isUnhandledRefused: true,
      rows: 9,
      hasSettings: true,
      refusal:
        'Failed to create a simulator: profile: expected one of "documented", "live", got "lvie".',
    },
  },
  {
    script: 'node.mjs',
    prints: {
      seen: [200, true, 'mine', 'ready'],
      fixtureNames: ['default', 'empty', 'odd', 'crowded'],
    },
  },
  {
    script: 'express.mjs',
    prints: {
      next: '/mock/api/projects/1/annotations/?limit=1&offset=1',
      created: 'Mounted',
      other: 'mine',
    },
  },
  { script: 'factories.mjs', prints: { rows: 20, isSame: true, isOther: true, status: 200 } },
  { script: 'fixtures.mjs', prints: { rows: true, title: 'World', name: 'understudy-api' } },
]

test('every script of a consumer is run', () => {
  const names = readdirSync(join(root, 'test', 'consumers', 'scripts')).filter((name) =>
    name.endsWith('.mjs'),
  )

  expect(names).toEqual(scripts.map(({ script }) => script).sort())
})

test.each(
  consumers.flatMap((consumer) => scripts.map((entry) => ({ ...consumer, ...entry, consumer }))),
)('$script works with msw $msw on Node $node', async ({ consumer, script, prints }) => {
  const { stdout, stderr } = await exec(nodeOf(consumer), [script], { cwd: consumerPath(consumer) })

  expect(JSON.parse(stdout)).toEqual(prints)
  expect(stderr).not.toMatch(/^\s+at /m)
})

test.each(consumers)('the bin starts beside msw $msw on Node $node', async (consumer) => {
  const file = consumerPath(
    consumer,
    'node_modules',
    'understudy-api',
    packageJson.bin['understudy-api'],
  )
  const child = spawn(nodeOf(consumer), [file, '--port', '0', '--json'], {
    cwd: consumerPath(consumer),
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const printed = await new Promise<string>((resolve) => child.stdout.once('data', resolve))

  const { url } = JSON.parse(String(printed))
  const answer = await fetch(`${url}/api/projects/1/annotations/`, { headers: authorization() })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')

  const node = await exec(nodeOf(consumer), ['-v'])

  expect(node.stdout).toContain(`v${consumer.node}.`)
  expect(await answer.json()).toMatchObject({ count: 6 })
  expect(await ended).toBe(0)
  const linked = consumerPath(consumer, 'node_modules', '.bin', 'understudy-api')
  const { stdout } = await exec(linked, ['--version'], {
    cwd: consumerPath(consumer),
    shell: process.platform === 'win32',
  })
  expect(stdout.trim()).toBe(packageJson.version)
})

const oldest = 'typescript 5.9'
const compilers = [
  { compiler: oldest, msw: '2.15.0', moduleKind: 'nodenext' },
  { compiler: 'typescript 7', msw: '2.15.0', moduleKind: 'bundler' },
  { compiler: 'typescript 7', msw: '3.0.5', moduleKind: 'nodenext' },
].filter(({ msw }) => consumers.some((consumer) => consumer.msw === msw))

test.each(compilers)(
  'types compile with $compiler, $moduleKind, beside msw $msw',
  async ({ compiler, msw, moduleKind }) => {
    const consumer = consumers.find((consumer) => consumer.msw === msw) as Consumer
    const home = compiler === oldest ? consumerPath(consumer) : root
    const typescript = join(home, 'node_modules', 'typescript')
    const { version } = JSON.parse(readFileSync(join(typescript, 'package.json'), 'utf8'))
    cpSync(consumerPath(consumer, 'types.ts.txt'), consumerPath(consumer, 'types.ts'))
    const flags = [
      // Without --skipLibCheck: everything that the types import has to compile, too.
      ...['--strict', '--noEmit', '--target', 'es2022', '--types', 'node', '--skipDefaultLibCheck'],
      ...['--module', moduleKind === 'bundler' ? 'esnext' : 'nodenext'],
      ...['--moduleResolution', moduleKind],
      ...['--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'],
    ]

    const { stdout } = await exec(
      process.execPath,
      [join(typescript, 'bin', 'tsc'), ...flags, 'types.ts'],
      { cwd: consumerPath(consumer) },
    ).catch((error: { stdout: string }) => error)

    expect(`typescript ${version}`).toContain(`${compiler}.`)
    expect(stdout).toBe('')
  },
)

test.each([
  ['publint', '--strict'],
  ['attw', '--profile', 'esm-only'],
])('%s finds no problem in the package', async (...words) => {
  const [name, ...flags] = words
  const tool = join(root, 'node_modules', '.bin', name)

  const problems = await exec(tool, [tarball, ...flags]).then(
    () => null,
    ({ stdout }: { readonly stdout: string }) => stdout,
  )

  expect(problems).toBeNull()
})

// With the library twice: as ES modules, and for the `require` of Jest.
test('the tarball is under 1.94 MB', () => {
  expect(size).toBeGreaterThan(500_000)
  expect(size).toBeLessThan(1_940_000)
})

test('package.json has the addresses that a release needs', (context) => {
  const addresses: Readonly<Record<string, unknown>> = packageJson
  const missing = ['repository', 'homepage', 'bugs'].filter((name) => !addresses[name])
  context.skip(missing.length > 0, `for a release, package.json lacks ${missing.join(', ')}`)

  expect(packageJson).toMatchObject({
    repository: { url: expect.stringMatching(/^git\+https:/) },
    homepage: expect.stringMatching(/^https:/),
    bugs: { url: expect.stringMatching(/^https:/) },
  })
})

test('the package contains its folders, and no tests or tools', () => {
  const parts = new Set(files.map((path) => path.split('/')[0]))

  expect([...parts].sort()).toEqual([
    'CHANGELOG.md',
    'CONTRIBUTING.md',
    'LICENSE.md',
    'README.md',
    'SECURITY.md',
    'TASKS.md',
    'dist',
    'fixtures',
    'package.json',
    'scenarios',
    'src',
    'test',
  ])
  // The README links the results of the benchmark.
  expect(files.filter((path) => path.startsWith('test/')).sort()).toEqual(['test/bench/README.md'])
  for (const name of ['default', 'empty', 'odd', 'crowded', 'world.schema'])
    expect.soft(files).toContain(`fixtures/${name}.json`)
})
