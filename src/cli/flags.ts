import { Option } from 'commander'
import { profiles } from '../policies/settings.ts'
import { presetNames } from '../sandbox/faults/rule.ts'
import { replayModes } from '../scenarios/replay-server/match-request.ts'
import { unexpectedValue } from '../utils/usage-error.ts'
import { fixtureNames } from '../world/load/read-world.ts'
import {
  laneOf,
  lanes,
  parseClockFlag,
  parseFaultFlag,
  parseLogFormat,
  parseMode,
  parsePolicyFlag,
  parsePort,
  parseSeed,
} from './flag-values.ts'
import { logFormats } from './log/request-line.ts'
import { offering } from './offering.ts'
import { policySettings } from './policy-settings.ts'

/**
 * The flags of a command, each with its environment variable.
 *
 * @param environment where the variables are; a flag without a value is not switched on by `0` or `false`
 * @throws UsageError for a variable of such a flag that says neither yes nor no
 */
export function createFlagOptions(
  command: SimulatorCommand,
  environment: Environment = {},
): Option[] {
  return flagDefinitions
    .filter(({ only = command }) => only === command)
    .map((flag) => toOption(flag, environment))
}

type Environment = Readonly<Record<string, string | undefined>>

/** The flags of every command. */
export function allOptions(): Option[] {
  return flagDefinitions.map((flag) => toOption(flag, {}))
}

/** The commands that have a flag. */
export function commandsOf(flags: string): SimulatorCommand[] {
  const only = flagDefinitions.find((flag) => flag.flags === flags)?.only
  return only ? [only] : ['serve', 'exec']
}

/** `--no-cors` has the variable UNDERSTUDY_NO_CORS. */
function toOption(
  { flags, description, defaultValue, parse, choices, offers = [] }: FlagDefinition,
  environment: Environment,
): Option {
  const option = offering(new Option(flags, description), offers)
  const variable = variableName(option.long ?? '')
  const takesValue = flags.includes('<')
  if (takesValue || isEnabled(variable, environment[variable] ?? 'yes')) option.env(variable)
  if (defaultValue !== undefined)
    option.default(defaultValue, typeof defaultValue === 'object' ? 'none' : undefined)
  if (choices) option.choices(choices)
  return parse ? option.argParser(parse as (text: string, before: unknown) => unknown) : option
}

/** A variable counts wherever it is set, for commander; people write 0 and mean no. */
function isEnabled(variable: string, value: string): boolean {
  if (/^(1|true|yes|on)$/i.test(value)) return true
  if (/^(0|false|no|off|)$/i.test(value)) return false
  throw unexpectedValue(`read ${variable}`, 'one of 1, true, 0, false', value)
}

function variableName(long: string): string {
  return `UNDERSTUDY_${long.slice(2).toUpperCase().replaceAll('-', '_')}`
}

/** The commands that run a simulator. */
type SimulatorCommand = 'serve' | 'exec'

/** A flag of them. */
interface FlagDefinition {
  readonly flags: string
  readonly description: string
  readonly defaultValue?: unknown
  /** @throws UsageError that names the flag and its variable */
  readonly parse?: (text: string, before: never) => unknown
  readonly choices?: readonly string[]
  /** Some of what it takes, which a shell completes; choices are completed by themselves. */
  readonly offers?: readonly string[]
  /** Both commands have it unless it says. */
  readonly only?: SimulatorCommand
}

/** Every flag of the commands that run a simulator. */
const flagDefinitions: readonly FlagDefinition[] = [
  {
    flags: '--port <number>',
    description: 'port; 0 takes any free one',
    defaultValue: 4010,
    parse: parsePort,
    only: 'serve',
  },
  {
    flags: '--host <address>',
    description: 'address to listen on',
    defaultValue: '127.0.0.1',
    only: 'serve',
  },
  {
    flags: '--data <file|name>',
    description: `a world: a file, or ${fixtureNames.join(', ')}`,
    defaultValue: 'default',
    offers: fixtureNames,
  },
  {
    flags: '--state <file>',
    description: 'go on with the world in this file, and keep it there; it begins from --data',
    only: 'serve',
  },
  {
    flags: '--recording <file>',
    description: 'answer from this recording: a scenario, which decides how the world begins',
    only: 'serve',
  },
  {
    flags: '--mode <name>',
    description: `how the recording answers: ${replayModes.join(', ')}; strict where nothing is said`,
    parse: parseMode,
    offers: replayModes,
    only: 'serve',
  },
  {
    flags: '--watch',
    description:
      'take over what changes in the file of --data or --recording, and keep what was written',
    only: 'serve',
  },
  { flags: '--seed <number>', description: 'what generated values follow from', parse: parseSeed },
  {
    flags: '--profile <name>',
    description: `a full set of policies: ${profiles.join(' or ')}`,
    defaultValue: 'documented',
    offers: profiles,
  },
  {
    flags: '--policy <id=value>',
    description: 'set one policy; may be repeated',
    defaultValue: {},
    parse: parsePolicyFlag,
    offers: policySettings,
  },
  {
    flags: '--fault <name|rule>',
    description: `disturb answers: ${presetNames.join(', ')}, or a rule as JSON; may be repeated`,
    defaultValue: [],
    parse: parseFaultFlag,
    offers: presetNames,
  },
  {
    flags: '--clock <time>',
    description: 'real, a time to stand still at, or ticking:<time> to run from there',
    defaultValue: 'real',
    parse: parseClockFlag,
    offers: ['real', 'ticking:'],
  },
  {
    flags: '--bundle <file>',
    description: 'write what was asked and answered there, to replay it',
    only: 'exec',
  },
  { flags: '--token <text>', description: 'what the control API asks for' },
  {
    flags: '--require-token',
    description: 'refuse to serve without a token, as in a container',
    only: 'serve',
  },
  {
    flags: '--no-cors',
    description: 'keep pages of other origins from reading answers',
    only: 'serve',
  },
  {
    flags: '--scenarios <folder>',
    description: 'scenarios of yours that the dashboard has at hand',
    only: 'serve',
  },
  { flags: '--no-dashboard', description: 'serve no page at /__admin/', only: 'serve' },
  {
    flags: '--lane <name>',
    description: 'the way through the handlers',
    defaultValue: 'direct',
    choices: lanes,
    parse: laneOf,
    only: 'serve',
  },
  {
    flags: '--stock',
    description: "leave Express's request objects as they are; slower",
    only: 'serve',
  },
  {
    flags: '--log-format <name>',
    description: `how requests are logged on stderr: ${logFormats.join(' or ')}, an object on each line`,
    defaultValue: 'text',
    choices: logFormats,
    parse: parseLogFormat,
    only: 'serve',
  },
  {
    flags: '--json',
    description: 'print one line of JSON at the start, for machines',
    only: 'serve',
  },
  { flags: '--quiet', description: 'print nothing but errors: no requests either', only: 'serve' },
]
