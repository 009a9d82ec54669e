import { Option } from 'commander'
import { unexpected } from '../usage-error.ts'
import { allFlags, type Flag, type Running } from './all-flags.ts'
import { offering } from './offering.ts'

/**
 * The flags of a command, each with its environment variable.
 *
 * @param environment where the variables are; a flag without a value is not switched on by `0` or `false`
 * @throws UsageError for a variable of such a flag that says neither yes nor no
 */
export function optionsOf(command: Running, environment: Environment = {}): Option[] {
  return allFlags
    .filter(({ only = command }) => only === command)
    .map((flag) => toOption(flag, environment))
}

type Environment = Readonly<Record<string, string | undefined>>

/** The flags of every command. */
export function allOptions(): Option[] {
  return allFlags.map((flag) => toOption(flag, {}))
}

/** The commands that have a flag. */
export function commandsOf(flags: string): Running[] {
  const only = allFlags.find((flag) => flag.flags === flags)?.only
  return only ? [only] : ['serve', 'exec']
}

/** `--no-cors` has the variable UNDERSTUDY_NO_CORS. */
function toOption(
  { flags, says, byDefault, read, choices, offers = [] }: Flag,
  environment: Environment,
): Option {
  const option = offering(new Option(flags, says), offers)
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
