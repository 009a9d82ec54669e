import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { afterAll, expect, test, vi } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { checkProxy, checkVariables } from '../../src/cli/doctor/environment.ts'
import { checkMsw, checkNode, checkPackage } from '../../src/cli/doctor/packages.ts'
import { checkWorker } from '../../src/cli/doctor/worker.ts'
import { run, startServe } from '../support/cli/command.ts'
import { temporaryFolder } from '../support/files.ts'

// Each test starts processes, and machines are busy.
vi.setConfig({ testTimeout: 30_000 })
afterAll(() => vi.resetConfig())

/** A project in which some packages are installed. */
function project(packages: Readonly<Record<string, string>> = {}): string {
  const folder = temporaryFolder({ 'package.json': { msw: { workerDirectory: ['www'] } } })
  for (const [name, version] of Object.entries(packages)) {
    mkdirSync(join(folder, 'node_modules', name), { recursive: true })
    const file = join(folder, 'node_modules', name, 'package.json')
    writeFileSync(file, JSON.stringify({ name, version }))
  }
  return folder
}

function workerOf(version: string): string {
  return `const PACKAGE_VERSION = '${version}'\nconst INTEGRITY_CHECKSUM = 'x'\n`
}

test('where all is well it ends with 0, and tells what it found', async () => {
  const { code, stdout, stderr } = await run(['doctor', '--port', '0'])

  expect([code, stderr]).toEqual([0, ''])
  expect(stdout.split('\n').filter((line) => /^\S/.test(line))).toEqual([
    `✓ Node: ${process.versions.node}`,
    `✓ understudy-api: ${packageJson.version}`,
    expect.stringMatching(/^✓ msw: 2\.\d+\.\d+ in .*node_modules.msw$/),
    '✓ worker file: none; pages need one, by understudy init FOLDER, and tests do not',
    '✓ port: 127.0.0.1:0 is free',
    '✓ proxy: no variable sets one',
    '✓ variables: no UNDERSTUDY_… is set',
  ])
})

test('what keeps it from working ends with 1, as text and as JSON, each with what to do', async () => {
  const { url } = await startServe(['--quiet'])
  const args = ['doctor', '--port', new URL(url).port]

  const text = await run(args, { http_proxy: 'http://me:secret@proxy:3128' })
  const { code, stdout } = await run([...args, '--json'])

  expect(text.code).toBe(1)
  expect(text.stdout).toContain('✗ proxy: http_proxy\n  Requests to this machine go to the proxy')
  expect(text.stdout).not.toContain('secret')
  expect([code, JSON.parse(stdout).ok]).toEqual([1, false])
  expect(JSON.parse(stdout).checks).toContainEqual({
    name: 'port',
    outcome: 'failed',
    found: `${url.slice(7)} is taken by an Understudy ${packageJson.version}`,
    advice: 'Choose another with --port, or any free one with --port 0.',
  })
})

test('Node has to be new enough', () => {
  expect(checkNode('20.19.0')).toMatchObject({ outcome: 'ok' })
  expect(checkNode('20.18.3')).toEqual({
    name: 'Node',
    outcome: 'failed',
    found: '20.18.3',
    advice: 'Install Node 20.19 or newer.',
  })
})

test('msw has to be one that it works with, and that Node runs', () => {
  expect(checkMsw(project({ msw: '2.12.0' }), '20.19.0')).toMatchObject({ outcome: 'ok' })
  expect(checkMsw(project(), '20.19.0')).toMatchObject({
    outcome: 'warning',
    found: 'none in this project',
  })
  expect(checkMsw(project({ msw: '2.11.6' }), '20.19.0')).toMatchObject({
    outcome: 'failed',
    advice: 'Install 2.12 or newer, or 3: npm install --save-dev msw@2.',
  })
  expect(checkMsw(project({ msw: '3.0.5' }), '20.19.0')).toMatchObject({
    outcome: 'failed',
    advice: 'msw 3 needs Node 22.12 or newer: install that, or npm install --save-dev msw@2.',
  })
})

test('another version in the project is told', () => {
  expect(checkPackage(project({ 'understudy-api': '0.0.9' }))).toMatchObject({
    outcome: 'warning',
    found: `${packageJson.version} runs, and 0.0.9 is installed in this project`,
  })
})

test('worker files have to be those of msw, also where it was told to keep them', () => {
  const folder = project({ msw: '2.15.0' })
  for (const name of ['public', 'www']) mkdirSync(join(folder, name))
  writeFileSync(join(folder, 'public', 'mockServiceWorker.js'), workerOf('2.15.0'))
  const good = checkWorker(folder)
  writeFileSync(join(folder, 'www', 'mockServiceWorker.js'), workerOf('2.4.0'))

  expect(good).toMatchObject({ outcome: 'ok', found: 'public/mockServiceWorker.js, 2.15.0' })
  expect(checkWorker(folder)).toEqual({
    name: 'worker file',
    outcome: 'failed',
    found: 'www/mockServiceWorker.js, 2.4.0; public/mockServiceWorker.js, 2.15.0; msw is 2.15.0',
    advice: 'understudy init www.',
  })
})

test('a proxy has to leave this machine out', () => {
  const proxy = { HTTP_PROXY: 'http://proxy:3128' }

  expect(checkProxy({ ...proxy, NO_PROXY: 'localhost, 127.0.0.1' })).toMatchObject({
    outcome: 'ok',
  })
  expect(checkProxy({ ...proxy, no_proxy: '*' })).toMatchObject({ outcome: 'ok' })
  expect(checkProxy({ ...proxy, NO_PROXY: 'localhost,.corp' })).toMatchObject({
    outcome: 'failed',
    advice: expect.stringContaining('export NO_PROXY=localhost,.corp,127.0.0.1 '),
  })
})

test('variables that no flag has, or reads, are told', () => {
  expect(checkVariables({ UNDERSTUDY_PORT: '4010', UNDERSTUDY_URL: 'x' })).toMatchObject({
    outcome: 'ok',
  })
  expect(checkVariables({ UNDERSTUDY_PROT: '1' })).toMatchObject({
    outcome: 'warning',
    advice: 'No flag has UNDERSTUDY_PROT. Did you mean UNDERSTUDY_PORT?',
  })
  expect(checkVariables({ UNDERSTUDY_QUIET: 'perhaps' })).toMatchObject({
    outcome: 'failed',
    advice: 'Failed to read UNDERSTUDY_QUIET: expected one of 1, true, 0, false, got "perhaps".',
  })
})
