import process from 'node:process'
import { Command } from 'commander'
import { sandboxPrefix } from '../http/base.ts'
import { listen } from '../server.ts'
import type { Simulator } from '../simulator.ts'
import { addFaults, type BeginFlags, beginSimulator } from './begin.ts'
import { type CommandLine, runChild } from './child.ts'
import { optionsOf } from './flags.ts'

const help = `
The command finds in its environment:
  UNDERSTUDY_URL               where the API is; the key leads to a sandbox of its own
  UNDERSTUDY_KEY               a key of it: the first of the world
  UNDERSTUDY_PROJECT_ID        a project of it
  UNDERSTUDY_ORGANIZATION_ID   its organization
  UNDERSTUDY_ADMIN_URL         the control API of the sandbox, for connect()
  UNDERSTUDY_TOKEN             what the control API asks for, with --token

Examples:
  understudy exec -- npm test
  understudy exec --data ./world.json --profile live -- node client.js
  understudy exec --fault flaky -- npm test

Ends with the exit code of the command; 127 when there is no such command.`

/** @param onEnd told the exit code of the command */
export function execCommand(onEnd: (code: number) => void): Command {
  const command = new Command('exec')
    .description('Serve the API for as long as a command runs, and tell it where.')
    .argument('<command...>', 'what is run, after two dashes')
    .passThroughOptions()
    .addHelpText('after', help)
    .action(async (line: string[], flags: BeginFlags) => {
      onEnd(await exec(line as unknown as CommandLine, flags))
    })
  for (const option of optionsOf('exec', process.env)) command.addOption(option)
  return command
}

async function exec(line: CommandLine, flags: BeginFlags): Promise<number> {
  const simulator = await beginSimulator(flags)
  const server = await listen(simulator, flags)
  try {
    return await runChild(line, { ...process.env, ...variablesOf(simulator, server.url, flags) })
  } finally {
    await server.close()
  }
}

/**
 * Makes a sandbox with the faults that are asked for, and tells how it is reached. All keys of the world lead there:
 * a test that has one written down shall not miss the faults.
 */
function variablesOf(
  { sandboxes, keys }: Simulator,
  url: string,
  flags: BeginFlags,
): Record<string, string> {
  const own = keys.list().map(({ value }) => [value, value])
  const { id } = sandboxes.create({ keys: Object.fromEntries(own) })
  const sandbox = sandboxes.get(id) as Simulator
  addFaults(sandbox, flags)
  const { key, project_id, organization_id } = sandbox.defaults
  const { token } = flags
  return {
    UNDERSTUDY_URL: url,
    UNDERSTUDY_KEY: key,
    UNDERSTUDY_PROJECT_ID: String(project_id),
    UNDERSTUDY_ORGANIZATION_ID: organization_id,
    UNDERSTUDY_ADMIN_URL: `${url}${sandboxPrefix}/${id}/__admin`,
    ...(token === undefined ? {} : { UNDERSTUDY_TOKEN: token }),
  }
}
