import { basename } from 'node:path'
import process from 'node:process'
import { Command } from 'commander'
import { sandboxPrefix } from '../http/url.ts'
import { listen } from '../server/listen.ts'
import type { Simulator } from '../simulator.ts'
import { removeTemporaryFiles } from '../world/persistence/atomic-write.ts'
import { partialFileSuffix } from './bundle/bundle-file.ts'
import { recordRun } from './bundle/record-bundle.ts'
import type { CommandContext } from './command-context.ts'
import { createFlagOptions } from './flags.ts'
import { type CommandLine, runChild } from './run-child.ts'
import {
  addFaultsFromFlags,
  createSimulatorFromFlags,
  type SimulatorFlags,
} from './simulator-from-flags.ts'

const help = `
The command finds in its environment:
  UNDERSTUDY_URL               where the API is; the key leads to a sandbox of its own
  UNDERSTUDY_KEY               a key of it: the first of the world
  UNDERSTUDY_PROJECT_ID        a project of it
  UNDERSTUDY_ORGANIZATION_ID   its organization
  UNDERSTUDY_ADMIN_URL         the control API of the sandbox, for connect()
  UNDERSTUDY_TOKEN             what the control API asks for, with --token

With --bundle it has the server to itself in place of a sandbox, and when it ends, however it ends, all that was asked
and answered is in one file: understudy replay FILE has it happen again, understudy shrink FILE makes it small.

Examples:
  understudy exec -- npm test
  understudy exec --data ./world.json --profile live -- node client.js
  understudy exec --fault flaky -- npm test
  understudy exec --fault flaky --seed 2 -- npm test      other requests meet them
  understudy exec --fault flaky --bundle run.json -- npm test

Ends with the exit code of the command; 127 when there is no such command.`

interface ExecFlags extends SimulatorFlags {
  readonly bundle?: string
}

export function execCommand(context: CommandContext): Command {
  const command = new Command('exec')
    .description('Serve the API for as long as a command runs, and tell it where.')
    .argument('<command...>', 'what is run, after two dashes')
    .passThroughOptions()
    .addHelpText('after', help)
    .action(async (line: string[], flags: ExecFlags) => {
      context.exitCode = await exec(line as unknown as CommandLine, flags, context)
    })
  for (const option of createFlagOptions('exec', process.env)) command.addOption(option)
  return command
}

async function exec(line: CommandLine, flags: ExecFlags, context: CommandContext): Promise<number> {
  if (flags.bundle !== undefined) return execWithBundle(line, flags.bundle, flags, context)
  const simulator = await createSimulatorFromFlags(flags, context)
  const server = await listen(simulator, flags)
  try {
    const own = createSandbox(simulator)
    addFaultsFromFlags(own.simulator, flags, context)
    const code = await runChild(line, toEnvironment(own, server.url, flags), context)
    for (const said of unusedFaultMessages(own.simulator)) context.printError(said)
    return code
  } finally {
    await server.close()
  }
}

/** What is written must be all there is: no sandbox beside the server's own world. */
async function execWithBundle(
  line: CommandLine,
  file: string,
  flags: ExecFlags,
  context: CommandContext,
): Promise<number> {
  const simulator = await createSimulatorFromFlags(flags, context)
  addFaultsFromFlags(simulator, flags, context)
  await removeTemporaryFiles(file, partialFileSuffix)
  const run = recordRun(simulator, file, `A run of ${basename(line[0])}`, flags)
  const server = await listen(simulator, {
    ...flags,
    onArrival: () => simulator.clock.captureNow(),
    onControl: (call) => run.onControlCall(call),
  })
  let code: number
  try {
    code = await runChild(line, toEnvironment({ simulator, path: '' }, server.url, flags), context)
  } finally {
    await server.close()
  }
  for (const said of [...unusedFaultMessages(simulator), ...(await run.finish())])
    context.printError(said)
  return code
}

/** A world that a command is led to, and below which path its control API is. */
interface ExecTarget {
  readonly simulator: Simulator
  readonly path: string
}

/** A sandbox that all keys of the world lead to: a test that has one written down shall not miss the faults. */
function createSandbox({ sandboxes, keys }: Simulator): ExecTarget {
  const own = keys.list().map(({ value }) => [value, value])
  const { id } = sandboxes.create({ keys: Object.fromEntries(own) })
  return { simulator: sandboxes.get(id) as Simulator, path: `${sandboxPrefix}/${id}` }
}

/** The environment of the command: ours, and how the world is reached. */
function toEnvironment(
  { simulator: { defaults }, path }: ExecTarget,
  url: string,
  { token }: SimulatorFlags,
): NodeJS.ProcessEnv {
  return {
    ...process.env,
    UNDERSTUDY_URL: url,
    UNDERSTUDY_KEY: defaults.key,
    UNDERSTUDY_PROJECT_ID: String(defaults.project_id),
    UNDERSTUDY_ORGANIZATION_ID: defaults.organization_id,
    UNDERSTUDY_ADMIN_URL: `${url}${path}/__admin`,
    ...(token === undefined ? {} : { UNDERSTUDY_TOKEN: token }),
  }
}

/**
 * What is said where faults by chance struck none of the requests that they are about: with the same seed they never
 * will, however often the same is asked.
 */
export function unusedFaultMessages({ faults }: Pick<Simulator, 'faults'>): string[] {
  const byChance = faults.list().filter(({ when }) => (when?.probability ?? 1) < 1)
  const requests = Math.max(0, ...byChance.map(({ matched }) => matched))
  if (requests === 0 || byChance.some(({ applied }) => applied > 0)) return []
  return [
    `No fault by chance struck: none of ${requests} ${requests === 1 ? 'request' : 'requests'} was disturbed. The same requests meet the same faults; another --seed deals them out anew.`,
  ]
}
