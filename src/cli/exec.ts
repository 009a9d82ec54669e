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
import { createFlagOptions, warnAboutVariables } from './flags.ts'
import { formatCount } from './output/format-count.ts'
import { type CommandLine, runChild } from './run-child.ts'
import {
  addFaultsFromFlags,
  createSimulatorFromFlags,
  type SimulatorFlags,
} from './simulator-from-flags.ts'

const help = `
The command gets these environment variables:
  UNDERSTUDY_URL               URL of the API
  UNDERSTUDY_KEY               a key, which selects a sandbox of its own
  UNDERSTUDY_PROJECT_ID        a project that the key can access
  UNDERSTUDY_ORGANIZATION_ID   the organization of the project
  UNDERSTUDY_ADMIN_URL         URL of the sandbox's control API, for connect()
  UNDERSTUDY_TOKEN             token of the control API, with --token

With --bundle the command gets the whole server instead of a sandbox, and all requests and responses are written to one
file. understudy replay FILE replays them, and understudy shrink FILE reduces them.

Examples:
  understudy exec -- npm test
  understudy exec --data ./world.json --profile live -- node client.js
  understudy exec --fault flaky -- npm test
  understudy exec --fault flaky --seed 2 -- npm test      other requests fail
  understudy exec --fault flaky --bundle run.json -- npm test

The exit code is that of the command; 127 if there is no such command.`

interface ExecFlags extends SimulatorFlags {
  readonly bundle?: string
}

export function execCommand(context: CommandContext): Command {
  const command = new Command('exec')
    .description('Run a command with the API served alongside.')
    .argument('<command...>', 'command to run, after --')
    .passThroughOptions()
    .addHelpText('after', help)
    .action(async (line: string[], flags: ExecFlags) => {
      context.exitCode = await exec(line as unknown as CommandLine, flags, context)
    })
  for (const option of createFlagOptions('exec', process.env)) command.addOption(option)
  return command
}

async function exec(line: CommandLine, flags: ExecFlags, context: CommandContext): Promise<number> {
  for (const warning of warnAboutVariables(process.env)) context.printError(warning)
  const simulator = await createSimulatorFromFlags(flags, context)
  if (flags.bundle !== undefined) {
    return execWithBundle(line, flags.bundle, flags, simulator, context)
  }
  const server = await listen(simulator, flags)
  try {
    const target = createSandbox(simulator)
    addFaultsFromFlags(target.simulator, flags, context)
    const code = await runChild(line, toEnvironment(target, server.url, flags), context)
    for (const message of unusedFaultMessages(target.simulator)) context.printError(message)
    return code
  } finally {
    await server.close()
  }
}

/** Runs the command without a sandbox, because the bundle has to contain all that happens. */
async function execWithBundle(
  line: CommandLine,
  file: string,
  flags: ExecFlags,
  simulator: Simulator,
  context: CommandContext,
): Promise<number> {
  addFaultsFromFlags(simulator, flags, context)
  await removeTemporaryFiles(file, partialFileSuffix)
  const recording = recordRun(simulator, file, `A run of ${basename(line[0])}`, flags)
  const server = await listen(simulator, {
    ...flags,
    onArrival: () => simulator.clock.captureNow(),
    onControl: (call) => recording.onControlCall(call),
  })
  let code: number
  try {
    code = await runChild(line, toEnvironment({ simulator, path: '' }, server.url, flags), context)
  } finally {
    await server.close()
  }
  const messages = [...unusedFaultMessages(simulator), ...(await recording.finish())]
  for (const message of messages) context.printError(message)
  return code
}

/** A world for the command, and the path of its control API. */
interface ExecTarget {
  readonly simulator: Simulator
  readonly path: string
}

/** Creates a sandbox that all keys of the world select, so that a test with a hard-coded key meets the faults, too. */
function createSandbox({ sandboxes, keys }: Simulator): ExecTarget {
  const values = keys.list().map(({ value }) => [value, value])
  const { id } = sandboxes.create({ keys: Object.fromEntries(values) })
  return { simulator: sandboxes.get(id) as Simulator, path: `${sandboxPrefix}/${id}` }
}

/** The environment of the command: that of this process, and how to reach the world. */
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

/** Returns a message if there were random faults and none was applied: the same seed never applies them. */
function unusedFaultMessages({ faults }: Pick<Simulator, 'faults'>): string[] {
  const random = faults.list().filter(({ when }) => (when?.probability ?? 1) < 1)
  const requests = Math.max(0, ...random.map(({ matched }) => matched))
  if (requests === 0 || random.some(({ applied }) => applied > 0)) return []
  return [
    `No random fault was applied to ${formatCount(requests, 'request')}. Faults are deterministic; another --seed selects other requests.`,
  ]
}
