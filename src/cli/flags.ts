import { Option } from 'commander'
import { presetNames } from '../faults/presets.ts'
import { profiles } from '../policies/settings.ts'
import { fixtureNames } from '../read-world.ts'
import { unexpected } from '../usage-error.ts'
import { clockOf, faultOf, laneOf, lanes, policyOf, portOf, seedOf } from './values.ts'

/** The commands that run a simulator. */
export type Running = 'serve' | 'exec'

interface Flag {
  readonly flags: string
  readonly says: string
  readonly byDefault?: unknown
  /** @throws UsageError that names the flag and its variable */
  readonly read?: (text: string, before: never) => unknown
  readonly choices?: readonly string[]
  /** Both commands have it unless it says. */
  readonly only?: Running
}

/** Every flag of the commands that run a simulator. */
const all: readonly Flag[] = [
  {
    flags: '--port <number>',
    says: 'port; 0 takes any free one',
    byDefault: 4010,
    read: portOf,
    only: 'serve',
  },
  {
    flags: '--host <address>',
    says: 'address to listen on',
    byDefault: '127.0.0.1',
    only: 'serve',
  },
  {
    flags: '--data <file|name>',
    says: `a world: a file, or ${fixtureNames.join(', ')}`,
    byDefault: 'default',
  },
  {
    flags: '--state <file>',
    says: 'go on with the world in this file, and keep it there; it begins from --data',
    only: 'serve',
  },
  { flags: '--seed <number>', says: 'what generated values follow from', read: seedOf },
  {
    flags: '--profile <name>',
    says: `a full set of policies: ${profiles.join(' or ')}`,
    byDefault: 'documented',
  },
  {
    flags: '--policy <id=value>',
    says: 'set one policy; may be repeated',
    byDefault: {},
    read: policyOf,
  },
  {
    flags: '--fault <name|rule>',
    says: `disturb answers: ${presetNames.join(', ')}, or a rule as JSON; may be repeated`,
    byDefault: [],
    read: faultOf,
  },
  {
    flags: '--clock <time>',
    says: 'real, a time to stand still at, or ticking:<time> to run from there',
    byDefault: 'real',
    read: clockOf,
  },
  { flags: '--token <text>', says: 'what the control API asks for' },
  {
    flags: '--no-cors',
    says: 'keep pages of other origins from reading answers',
    only: 'serve',
  },
  { flags: '--no-dashboard', says: 'serve no page at /__admin/', only: 'serve' },
  {
    flags: '--lane <name>',
    says: 'the way through the handlers',
    byDefault: 'direct',
    choices: lanes,
    read: laneOf,
    only: 'serve',
  },
  {
    flags: '--stock',
    says: "leave Express's request objects as they are; slower",
    only: 'serve',
  },
  { flags: '--json', says: 'print one line of JSON at the start, for machines', only: 'serve' },
  { flags: '--quiet', says: 'print nothing but errors', only: 'serve' },
]

/**
 * The flags of a command, each with its environment variable.
 *
 * @param environment where the variables are; a flag without a value is not switched on by `0` or `false`
 * @throws UsageError for a variable of such a flag that says neither yes nor no
 */
export function optionsOf(command: Running, environment: Environment = {}): Option[] {
  return all
    .filter(({ only = command }) => only === command)
    .map((flag) => toOption(flag, environment))
}

type Environment = Readonly<Record<string, string | undefined>>

/** The commands that have a flag. */
export function commandsOf(flags: string): Running[] {
  const only = all.find((flag) => flag.flags === flags)?.only
  return only ? [only] : ['serve', 'exec']
}

/** `--no-cors` has the variable UNDERSTUDY_NO_CORS. */
function toOption(
  { flags, says, byDefault, read, choices }: Flag,
  environment: Environment,
): Option {
  const option = new Option(flags, says)
  const variable = variableOf(option.long ?? '')
  const takesValue = flags.includes('<')
  if (takesValue || isOn(variable, environment[variable] ?? 'yes')) option.env(variable)
  if (byDefault !== undefined)
    option.default(byDefault, typeof byDefault === 'object' ? 'none' : undefined)
  if (choices) option.choices(choices)
  return read ? option.argParser(read as (text: string, before: unknown) => unknown) : option
}

/** A variable counts wherever it is set, for commander; people write 0 and mean no. */
function isOn(variable: string, value: string): boolean {
  if (/^(1|true|yes|on)$/i.test(value)) return true
  if (/^(0|false|no|off|)$/i.test(value)) return false
  throw unexpected(`read ${variable}`, 'one of 1, true, 0, false', value)
}

function variableOf(long: string): string {
  return `UNDERSTUDY_${long.slice(2).toUpperCase().replaceAll('-', '_')}`
}
