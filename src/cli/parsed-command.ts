import { Command, type Option } from 'commander'
import { didYouMean, UsageError } from '../utils/errors.ts'

/** What is wrong with a command line: a sentence, and what its flag is if the command does not have it. */
export class BadUseError extends Error {
  readonly unknownFlag: string | null

  constructor(sentence: string, unknownFlag: string | null = null) {
    super(sentence)
    this.unknownFlag = unknownFlag
  }
}

/** A command of commander that says in words of its own what is wrong with a command line. Commander calls these methods. */
export class ParsedCommand extends Command {
  /** Says what to do in place of an argument that it does not take */
  inPlaceOf: ((argument: string) => string) | undefined

  override createCommand(name?: string): ParsedCommand {
    return new ParsedCommand(name)
  }

  unknownOption(text: string): void {
    const [flag = ''] = text.split('=')
    const names = this.options.flatMap(({ long }) => long?.slice(2) ?? [])
    const name = flag.replace(/^--/, '')
    if (names.includes(name)) throw new BadUseError(`${flag} takes no value.`)
    const meant = didYouMean(name, names)
    const hint = meant === undefined ? '' : ` Did you mean --${meant}?`
    throw new BadUseError(`Unknown option ${JSON.stringify(text)}.${hint}`, flag)
  }

  missingArgument(name: string): void {
    if (name !== 'command') throw new BadUseError(`Missing required argument "${name}".`)
    throw new UsageError(
      `The command to run is missing. Write it after --: npx understudy-api ${this.name()} -- npm test.`,
    )
  }

  optionMissingArgument({ flags }: Option): void {
    throw new BadUseError(`Option "${flags}" argument missing.`)
  }

  missingMandatoryOptionValue({ flags }: Option): void {
    this.#refuseArgument(this.args)
    throw new BadUseError(`Required option "${flags}" not specified.`)
  }

  _conflictingOption(option: Option, other: Option): void {
    const nameOf = (named: Option): string | undefined =>
      this.getOptionValueSource(named.attributeName()) === 'env' ? named.envVar : named.flags
    throw new BadUseError(`${nameOf(option)} cannot be used with ${nameOf(other)}.`)
  }

  _excessArguments(words: readonly string[]): void {
    this.#refuseArgument(words)
    const { length } = this.registeredArguments
    const expected = `${length} argument${length === 1 ? '' : 's'}`
    throw new BadUseError(`Expected ${expected} but got ${words.length}.`)
  }

  #refuseArgument([argument]: readonly string[]) {
    if (argument === undefined || !this.inPlaceOf) return
    throw new UsageError(
      `Unexpected argument ${JSON.stringify(argument)}. ${this.inPlaceOf(argument)}`,
    )
  }
}
