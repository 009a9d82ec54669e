import { Option } from 'commander'
import { unexpectedValue } from '../usage-error.ts'
import { type FlagDefinition, flagDefinitions, type SimulatorCommand } from './all-flags.ts'
import { offering } from './offering.ts'

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
