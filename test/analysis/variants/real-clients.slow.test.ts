import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run } from '../../support/cli/command.ts'
import { temporaryFolder } from '../../support/files.ts'
import { type ProgramClient, programClients } from './clients/programs.ts'
import { dependencesOfAll, truthOf } from './clients/sweep-in-process.ts'
import { longerClients } from './clients/typescript.ts'

const folder = join(import.meta.dirname, 'clients')

/** Runs a program, and returns what it prints, or null if it fails or does not exist. */
function printed(program: string, args: readonly string[], cwd = folder): string | null {
  const { status, stdout } = spawnSync(program, args, { cwd, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : null
}

/** The program itself: a version manager would start it slowly, each time. */
const python = printed('python3', ['-c', 'import sys; print(sys.executable)'])
const hasRequests = python !== null && printed(python, ['-c', 'import requests']) !== null

/** Returns the command that runs a client, or null without its language. */
function commandOf({ language, name, needsRequests }: ProgramClient): readonly string[] | null {
  if (language === 'python') {
    const isInstalled = python !== null && (hasRequests || !needsRequests)
    return isInstalled ? [python, '-B', join(folder, 'python', `${name}.py`)] : null
  }
  const program = join(temporaryFolder(), 'clients')
  const isBuilt = printed('go', ['build', '-o', program, '.'], join(folder, 'go')) !== null
  return isBuilt ? [program, name] : null
}

test('clients in TypeScript depend on what they take for granted, and on nothing else', async () => {
  const found = await dependencesOfAll(longerClients)

  expect(found).toEqual(truthOf(longerClients))
})

test.for(programClients)(
  'the program $name in $language depends on what it takes for granted',
  async (client, context) => {
    const command = commandOf(client)
    if (command === null) return context.skip(`no ${client.language}, or not all that it needs`)

    const flags = ['--mutate', '--json', '--fail-on', 'none', '--clock', '2024-06-15T12:00:00Z']
    const { stdout } = await run(['sweep', ...flags, '--', ...command])

    const { dependences } = JSON.parse(stdout) as { dependences: readonly { on: string }[] }
    expect(dependences.map(({ on }) => on).sort()).toEqual(client.dependsOn)
  },
)
