import { exec as execInShell } from 'node:child_process'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { TestContext } from 'vitest'
import { root } from '../cli/command.ts'
import { temporaryFolder } from '../files.ts'
import { freePort } from '../free-port.ts'
import { codeBlocks, shellCommands } from '../repository/readme.ts'

const inShell = promisify(execInShell)

/** The environment of a user's shell: without what npm and Vitest add to that of this process. */
export const userEnvironment: NodeJS.ProcessEnv = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^(VITEST|npm_|NODE_ENV$|NODE_OPTIONS$)/i.test(name),
  ),
)

/** Creates a folder with copies of files of `test/consumers`, until the test ends. */
export function newProject(
  files: readonly string[],
  context: Pick<TestContext, 'onTestFinished'>,
): string {
  const folder = temporaryFolder({}, context)
  for (const file of files) {
    cpSync(join(root, 'test', 'consumers', file), join(folder, file.slice(file.indexOf('/') + 1)))
  }
  return folder
}

/** The command of the README that installs the package in a project. @param packed the path of the packed package */
export function installCommand(packed: string): string {
  const commands = codeBlocks('README.md').flatMap(shellCommands)
  const command =
    commands.find((command) => command.startsWith('npm install --save-dev ./understudy-api-')) ?? ''
  return command.replace(/\.\/understudy-api-\S+/, `"${packed}"`)
}

/** Runs a command in a shell, as a user does. @returns what it prints @throws Error with what it printed */
export async function run(command: string, cwd: string): Promise<string> {
  const quick = command.replace(
    /^npm install /,
    'npm install --prefer-offline --no-audit --no-fund ',
  )
  try {
    const { stdout, stderr } = await inShell(quick, {
      cwd,
      // Of the application of a project. Others run at the same time.
      env: { ...userEnvironment, NO_COLOR: '1', PORT: String(await freePort()) },
    })
    return stdout + stderr
  } catch (error) {
    const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string }
    throw new Error(`${command} failed:\n${stdout}${stderr}`)
  }
}
