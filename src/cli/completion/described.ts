import type { Argument, Command, Option } from 'commander'
import { offeredBy } from '../offering.ts'

/** A command as shells complete it: all that commander was told of it. */
export interface DescribedCommand {
  readonly name: string
  readonly says: string
  readonly options: readonly DescribedOption[]
  /** What its arguments can be; a command that runs another one has none of its own */
  readonly argument: Values | null
  /** Whether what stands behind two dashes is a command */
  readonly runs: boolean
}

/** An option of a command. */
export interface DescribedOption {
  /** With its dashes */
  readonly long: string
  readonly says: string
  /** Null for one without a value */
  readonly values: Values | null
  readonly mayRepeat: boolean
}

/** What a value can be. */
export interface Values {
  readonly words: readonly string[]
  /** The words up to their `=`, where they have one: completed first */
  readonly heads: readonly string[]
  readonly paths: 'files' | 'folders' | null
}

/** A command with its options, those for help included. */
export function describe(command: Command): DescribedCommand {
  const { registeredArguments: given } = command
  const runs = given.some((argument) => argument.name() === 'command')
  const [argument] = given
  return {
    name: command.name(),
    says: command.description(),
    options: command.createHelp().visibleOptions(command).map(describeOption),
    argument: argument && !runs ? valuesOf(argument, argument.name()) : null,
    runs,
  }
}

function describeOption(option: Option): DescribedOption {
  const { long, description, required, optional, flags } = option
  const isValued = required || optional
  return {
    long: long ?? '',
    says: description,
    values: isValued ? valuesOf(option, flags) : null,
    mayRepeat: /may be repeated/.test(description),
  }
}

/** What it takes is said by its placeholder: `<file>`, `<file|name>`, `<folder>`. */
function valuesOf(what: Argument | Option, placeholder: string): Values {
  const words = offeredBy(what)
  const heads = [...new Set(words.map((word) => word.replace(/=.*/, '=')))]
  const paths = /\bfile\b/.test(placeholder)
    ? 'files'
    : /\bfolder\b/.test(placeholder)
      ? 'folders'
      : null
  return { words, heads, paths }
}
