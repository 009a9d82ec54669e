import { Command, Option } from 'commander'
import { type PolicyOverrides, type Profile, profiles } from '../policies/settings.ts'
import { fixtureNames, readWorld } from '../read-world.ts'
import { listen } from '../server.ts'
import { createSimulator } from '../simulator.ts'
import { type UsageError, unexpected } from '../usage-error.ts'
import { untilSignal } from './signals.ts'
import { startReport, startText } from './start-text.ts'

interface ServeFlags {
  readonly port: number
  readonly host: string
  readonly data: string
  readonly seed?: number
  readonly profile: Profile
  readonly policy: PolicyOverrides
  readonly token?: string
  readonly cors: boolean
  readonly lane: 'direct' | 'msw'
  readonly stock?: boolean
  readonly json?: boolean
  readonly quiet?: boolean
}

const lanes: readonly string[] = ['direct', 'msw']

const examples = `
Examples:
  understudy                                   the world "default" on http://127.0.0.1:4010
  understudy serve --port 0 --data odd         another fixture, on any free port
  understudy serve --data ./world.json --profile live
  understudy serve --policy annotations.delete.status=404 --policy limits.rate=observed

Each flag has an environment variable; the flag wins.`

export function serveCommand(): Command {
  return new Command('serve')
    .description('Serve the API over HTTP until it is interrupted.')
    .addOption(flag('--port <number>', 'port; 0 takes any free one', 4010).argParser(portOf))
    .addOption(flag('--host <address>', 'address to listen on', '127.0.0.1'))
    .addOption(
      flag('--data <file|name>', `a world: a file, or ${fixtureNames.join(', ')}`, 'default'),
    )
    .addOption(flag('--seed <number>', 'what generated values follow from').argParser(seedOf))
    .addOption(
      flag('--profile <name>', `a full set of policies: ${profiles.join(' or ')}`, 'documented'),
    )
    .addOption(
      flag('--policy <id=value>', 'set one policy; may be repeated', {}).argParser(policyOf),
    )
    .addOption(flag('--token <text>', 'what the control API asks for'))
    .addOption(flag('--no-cors', 'keep pages of other origins from reading answers'))
    .addOption(
      flag('--lane <name>', 'the way through the handlers', 'direct')
        .choices(lanes)
        .argParser(laneOf),
    )
    .addOption(flag('--stock', "leave Express's request objects as they are; slower"))
    .addOption(flag('--json', 'print one line of JSON at the start, for machines'))
    .addOption(flag('--quiet', 'print nothing but errors'))
    .addHelpText('after', examples)
    .action(serve)
}

async function serve(flags: ServeFlags): Promise<void> {
  const world = await readWorld(flags.data, flags.seed)
  const simulator = createSimulator({ ...flags, world, policies: flags.policy })
  const server = await listen(simulator, {
    ...flags,
    onNotFound(method, url, nearest) {
      if (!flags.quiet) console.error(`404 ${method} ${url} – nearest: ${nearest}`)
    },
  })
  if (flags.json) console.log(JSON.stringify(startReport(simulator, server.url)))
  else if (!flags.quiet) console.log(startText(simulator, server.url, flags))
  await untilSignal()
  await server.close()
}

/** A flag with its environment variable: `--no-cors` has UNDERSTUDY_NO_CORS. */
function flag(flags: string, description: string, byDefault?: unknown): Option {
  const option = new Option(flags, description)
  option.env(variableOf(option.long ?? ''))
  return byDefault === undefined ? option : option.default(byDefault)
}

function variableOf(long: string): string {
  return `UNDERSTUDY_${long.slice(2).toUpperCase().replaceAll('-', '_')}`
}

function portOf(text: string): number {
  const port = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (port <= 65_535) return port
  throw badValue('--port', 'a port from 0 to 65535', text)
}

function seedOf(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw badValue('--seed', 'a whole number', text)
}

function laneOf(text: string): string {
  if (lanes.includes(text)) return text
  throw badValue('--lane', `one of ${lanes.join(', ')}`, text)
}

/** `id=value`; in the environment several, with commas between them. */
function policyOf(text: string, before: PolicyOverrides): PolicyOverrides {
  const pairs = text.split(',').map((pair) => {
    const at = pair.indexOf('=')
    if (at < 0) throw badValue('--policy', 'id=value', pair)
    return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()]
  })
  return { ...before, ...Object.fromEntries(pairs) }
}

function badValue(long: string, expected: string, text: string): UsageError {
  return unexpected(`read ${long} (or ${variableOf(long)})`, expected, text)
}
