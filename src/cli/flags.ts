import { Option } from 'commander'
import { profiles } from '../policies/settings.ts'
import { presetNames } from '../sandbox/faults/rule.ts'
import { replayModes } from '../scenarios/replay-server/match-request.ts'
import { didYouMean, unexpectedValue } from '../utils/usage-error.ts'
import { fixtureNames } from '../world/load/read-world.ts'
import {
  parseClockFlag,
  parseFaultFlag,
  parseLogFormat,
  parseMode,
  parsePolicyFlag,
  parsePort,
  parseSeed,
} from './flag-values.ts'
import { logFormats } from './log/request-line.ts'

/**
 * Creates the flags of a command, each with its environment variable.
 *
 * @param environment the variables; `0` and `false` turn a boolean flag off
 * @throws UsageError for a boolean flag whose variable is neither on nor off
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

function toOption(
  { flags, description, defaultValue, parse, choices }: FlagDefinition,
  environment: Environment,
): Option {
  const option = new Option(flags, description)
  const variable = variableName(flags)
  const takesValue = flags.includes('<')
  if (takesValue || isEnabled(variable, environment[variable] ?? 'yes')) option.env(variable)
  if (defaultValue !== undefined)
    option.default(defaultValue, typeof defaultValue === 'object' ? 'none' : undefined)
  if (choices) option.choices(choices)
  return parse ? option.argParser(parse as (text: string, before: unknown) => unknown) : option
}

/** Commander turns a boolean flag on if its variable is set to anything, even to 0. */
function isEnabled(variable: string, value: string): boolean {
  if (/^(1|true|yes|on)$/i.test(value)) return true
  if (/^(0|false|no|off|)$/i.test(value)) return false
  throw unexpectedValue(`read ${variable}`, 'one of 1, true, 0, false', value)
}

/** The variable of a flag. @example variableName('--no-cors') // 'UNDERSTUDY_NO_CORS' */
function variableName(flags: string): string {
  const [, name = ''] = /^--([\w-]+)/.exec(flags) ?? []
  return `UNDERSTUDY_${name.toUpperCase().replaceAll('-', '_')}`
}

/** Variables that are no flags: those that `exec` and `shrink` set, and those of removed flags. */
const otherVariables = [
  'UNDERSTUDY_URL',
  'UNDERSTUDY_KEY',
  'UNDERSTUDY_PROJECT_ID',
  'UNDERSTUDY_ORGANIZATION_ID',
  'UNDERSTUDY_ADMIN_URL',
  'UNDERSTUDY_SCENARIO',
  'UNDERSTUDY_LANE',
  'UNDERSTUDY_STOCK',
]

/** Returns a warning for each misspelt variable, which has no effect. */
export function warnAboutVariables(environment: Environment): string[] {
  const names = [...flagDefinitions.map(({ flags }) => variableName(flags)), ...otherVariables]
  return Object.keys(environment)
    .filter((name) => name.startsWith('UNDERSTUDY_'))
    .flatMap((name) => {
      const meant = didYouMean(name, names, 2)
      return meant ? [`The variable ${name} has no effect. Did you mean ${meant}?`] : []
    })
}

/** The commands that run a simulator. */
type SimulatorCommand = 'serve' | 'exec'

/** A flag of these commands. */
interface FlagDefinition {
  readonly flags: string
  readonly description: string
  readonly defaultValue?: unknown
  /** @throws UsageError that names the flag and its variable */
  readonly parse?: (text: string, before: never) => unknown
  readonly choices?: readonly string[]
  /** The only command that has the flag; by default both have it */
  readonly only?: SimulatorCommand
}

const flagDefinitions: readonly FlagDefinition[] = [
  {
    flags: '--port <number>',
    description: 'port; 0 selects any free port',
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
    description: `world to start with: a file, or ${fixtureNames.join(', ')}`,
    defaultValue: 'default',
  },
  {
    flags: '--state <file>',
    description: 'keep the world in this file across restarts; it starts with --data',
    only: 'serve',
  },
  {
    flags: '--recording <file>',
    description: 'respond with the recorded responses of a scenario, in its world',
    only: 'serve',
  },
  {
    flags: '--mode <name>',
    description: `how the recording responds: ${replayModes.join(', ')} (default: strict)`,
    parse: parseMode,
    only: 'serve',
  },
  {
    flags: '--watch',
    description: 'reload the file of --data or --recording when it changes',
    only: 'serve',
  },
  { flags: '--seed <number>', description: 'seed for generated values', parse: parseSeed },
  {
    flags: '--profile <name>',
    description: `set of policies: ${profiles.join(' or ')}`,
    defaultValue: 'documented',
  },
  {
    flags: '--policy <id=value>',
    description: 'set a policy; can be repeated',
    defaultValue: {},
    parse: parsePolicyFlag,
  },
  {
    flags: '--fault <name|rule>',
    description: `inject a fault: ${presetNames.join(', ')}, or a rule as JSON; can be repeated`,
    defaultValue: [],
    parse: parseFaultFlag,
  },
  {
    flags: '--clock <time>',
    description: '`real`, a time to freeze at, or `ticking:<time>`',
    defaultValue: 'real',
    parse: parseClockFlag,
  },
  {
    flags: '--bundle <file>',
    description: 'write all requests and responses to this file, to replay them',
    only: 'exec',
  },
  { flags: '--token <text>', description: 'token required by the control API' },
  {
    flags: '--require-token',
    description: 'refuse to start without a token, as in a container',
    only: 'serve',
  },
  { flags: '--no-cors', description: 'send no CORS headers', only: 'serve' },
  {
    flags: '--scenarios <folder>',
    description: 'folder of scenarios that the dashboard offers',
    only: 'serve',
  },
  {
    flags: '--no-dashboard',
    description: 'do not serve the dashboard at /__admin/',
    only: 'serve',
  },
  {
    flags: '--log-format <name>',
    description: `format of the request log on stderr: ${logFormats.join(' or ')} (one object per line)`,
    defaultValue: 'text',
    choices: logFormats,
    parse: parseLogFormat,
    only: 'serve',
  },
  { flags: '--json', description: 'print one line of JSON at the start', only: 'serve' },
  { flags: '--quiet', description: 'print only errors, and no request log', only: 'serve' },
]
