import { type ExecException, exec as execInShell, spawn } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, type TestContext, test } from 'vitest'
import { listen } from '../../src/server/listen.ts'
import { createSimulator } from '../../src/simulator/simulator.ts'
import { userEnvironment } from '../support/packed/first-hour.ts'
import { isInstalled } from '../support/packed/is-installed.ts'
import { codeBlocks, documents, shellCommands } from '../support/repository/readme.ts'
import { createUserProject, isComplete } from './user-project.ts'

// Runs every command of the documents in the folder of a user. After its language, a block can say `exits 1`, or
// `not run: ` and why.
const inShell = promisify(execInShell)
const blocks = documents
  .flatMap(codeBlocks)
  .filter(({ language, isOfConsumer }) => language === 'sh' && !isOfConsumer)

test('the commands read worlds and a scenario of the documents', () => {
  expect(isComplete).toBe(true)
})

test.for(blocks)('the commands of $name', { concurrent: true }, async (block, context) => {
  const { check } = block
  context.skip(check.startsWith('not run: '), check)
  context.skip(block.text.includes('curl ') && !isInstalled('curl'), 'no curl')
  const cwd = createUserProject(context)
  const url = await startServer(context)
  const PATH = [join(cwd, 'node_modules', '.bin'), process.env.PATH].join(delimiter)
  const env = { ...userEnvironment, PATH, NO_COLOR: '1' }

  const lines = shellCommands(block)
  // A server in the background is one of the same shell.
  const isInBackground = lines.some((line) => line.endsWith(' &'))
  const commands = isInBackground ? [`${lines.join('\n')}\nkill $!`] : lines
  const exits: unknown[] = []
  for (const command of commands) {
    const local = command
      .replace(/^npx /gm, '')
      .replace(/http:\/\/127\.0\.0\.1:4010|https:\/\/\w+\.example\.com/, url)
      .replace(/^curl /gm, 'curl --fail --silent --show-error ')
      .replace(/^(understudy-api compare) /, '$1 --rate 1000 ')
    const isServer = !isInBackground && /^understudy-api (?:serve|record) /.test(local)
    const run = isServer ? runServer(local, { cwd, env }, context) : inShell(local, { cwd, env })
    const exit = await run.then(() => 'exits 0').catch(describe)
    exits.push([command, exit])
  }

  expect(exits).toEqual(commands.map((command) => [command, check || 'exits 0']))
})

/** Of a failure: the code, and what was printed, unless a check expects the code. */
function describe({ code, stderr, message }: ExecException): string {
  return code === undefined ? message : `exits ${code}${code > 1 ? `: ${stderr}` : ''}`
}

/** The server that commands ask. It has the keys that they name, and has answered twelve requests. */
async function startServer({ onTestFinished }: TestContext): Promise<string> {
  const simulator = createSimulator()
  for (const [value, scopes] of [
    ['phx_mine', ['*'] as const],
    ['phx_1', ['*'] as const],
    ['phx_2', ['plugin:read'] as const],
    ['phx_3', [] as const],
  ] as const)
    simulator.keys.issue({ value, scopes: [...scopes] })
  for (let id = 1; id <= 12; id += 1) await simulator.fetch('/api/projects/')
  const server = await listen(simulator)
  onTestFinished(() => server.close())
  return server.url
}

/**
 * Runs a command that serves on a free port, until it prints its address. It then ends as with Ctrl-C, or, if it is to run in
 * the background, with the test.
 */
async function runServer(
  command: string,
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
  { onTestFinished }: TestContext,
): Promise<void> {
  const inBackground = command.endsWith(' &')
  const line = `exec ${command.replace(/ --port \d+| &$/g, '')} --port 0`
  const child = spawn(line, { ...options, shell: true })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const printed = await Promise.race([
    new Promise((resolve) => child.stdout.once('data', resolve)),
    ended,
  ])
  if (inBackground) return
  child.kill('SIGINT')
  const code = await ended
  if (code !== 0) throw Object.assign(new Error(String(printed)), { code })
  expect(String(printed)).toMatch(/https?:\/\/(127\.0\.0\.1|localhost):/)
}
