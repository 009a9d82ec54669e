import { Command, type Option } from 'commander'
import { didYouMean } from '../utils/errors.ts'

/** What other mock servers call a flag, and what does it here. */
const otherNames: Readonly<Record<string, string>> = {
  '-p': 'Write --port.',
  '--cors': 'Pages of each origin may read the API without it.',
  '--delay': 'Write --fault \'{"effect": {"delay_ms": 500}}\'.',
  '--latency': 'Write --fault \'{"effect": {"delay_ms": 500}}\'.',
}

/** What is wrong with a command line: a sentence, and what its flag is if the command does not have it. */
export class BadUseError extends Error {
  readonly unknownFlag: string | null
  /** Whether the sentence says what to do */
  readonly hasCure: boolean

  constructor(sentence: string, unknownFlag: string | null = null, hasCure = false) {
    super(sentence)
    this.unknownFlag = unknownFlag
    this.hasCure = hasCure
  }
}

/** A command of commander that says in words of its own what is wrong with a command line. Commander calls these methods. */
export class ParsedCommand extends Command {
  #takesMore = false

  override createCommand(name?: string): ParsedCommand {
    return new ParsedCommand(name)
  }

  unknownOption(text: string): void {
    const [flag = ''] = text.split('=')
    const names = this.options.flatMap(({ long }) => long ?? [])
    const meant = didYouMean(flag, names)
    const hint = otherNames[flag] ?? (meant && `Did you mean ${meant}?`)
    throw new BadUseError(`Unknown option ${JSON.stringify(text)}.${hint ? ` ${hint}` : ''}`, flag)
  }

  missingArgument(name: string): void {
    if (name !== 'command') throw new BadUseError(`Missing required argument "${name}".`)
    throw new BadUseError(
      `The command to run is missing. Write it after --: npx understudy-api ${this.name()} -- npm test.`,
      ...([null, true] as const),
    )
  }

  optionMissingArgument({ flags }: Option): void {
    throw new BadUseError(`Option "${flags}" argument missing.`)
  }

  missingMandatoryOptionValue({ flags }: Option): void {
    throw new BadUseError(`Required option "${flags}" not specified.`)
  }

  _conflictingOption(option: Option, other: Option): void {
    const isVariable = (option: Option): boolean =>
      this.getOptionValueSource(option.attributeName()) === 'env'
    const first = isVariable(option)
      ? `Environment variable "${option.envVar}"`
      : `Option "${option.flags}"`
    const second = isVariable(other)
      ? `environment variable "${other.envVar}"`
      : `option "${other.flags}"`
    throw new BadUseError(`${first} cannot be used with ${second}.`)
  }

  override allowExcessArguments(isAllowed = true): this {
    this.#takesMore = isAllowed
    return super.allowExcessArguments(isAllowed)
  }

  _excessArguments(words: readonly string[]): void {
    if (this.#takesMore) return
    const { length } = this.registeredArguments
    const expected = `Expected ${length} argument${length === 1 ? '' : 's'} but got ${words.length}`
    throw new BadUseError(`Too many arguments for "${this.name()}". ${expected}.`)
  }
}
