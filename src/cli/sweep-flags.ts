import { availableParallelism } from 'node:os'
import { basename } from 'node:path'
import type { CommandLine } from '../exec/run-command.ts'
import { type SettingValues, settingIds } from '../settings/setting.ts'
import { dependenceKinds, failingKinds } from '../sweep/dependences.ts'
import { settingVariants } from '../sweep/variant.ts'
import { didYouMean, inspectValue, UsageError } from '../utils/errors.ts'
import { quoteForShell } from '../utils/text.ts'
import type { FlagValues } from './command.ts'
import { failOnFlag, flagsOf, wholeNumber } from './flags.ts'

export const sweepFlags = {
  ...flagsOf('sweep'),
  '--jobs <number>': {
    text: 'how many runs happen at once',
    default: availableParallelism(),
    parse: wholeNumber('a whole number from 1 to 999999', 1, 999_999),
  },
  '--only <text>': 'try only services whose id contains this text',
  '--fail-on <kind>': failOnFlag(
    'exit with 1 for these dependences',
    dependenceKinds,
    failingKinds,
  ),
  '--json': 'print the report as JSON',
} as const

export type SweepFlags = FlagValues<typeof sweepFlags>

/** The flags that decide what is served. `exec` has them, too. */
const servedFlags = Object.keys(flagsOf('sweep')).filter(
  (name) => !/^--(report|redact|token) /.test(name),
)

/**
 * The flags with which `exec` serves what `sweep` did, quoted for a shell.
 *
 * @param words the command line before the command
 * @example execFlags(['--jobs', '1', '--profile', 'live']) // ['--profile live']
 */
export function execFlags(words: readonly string[]): string[] {
  return words.flatMap((word, index) => {
    const [flag, value] = word.split('=', 2)
    const served = servedFlags.find((name) => name.split(' ')[0] === flag)
    if (served === undefined) return []
    const isWhole = value !== undefined || !served.includes('<')
    return words
      .slice(index, isWhole ? index + 1 : index + 2)
      .map(quoteForShell)
      .join(' ')
  })
}

/** @throws UsageError before the first run */
export function checkSweepFlags(line: CommandLine): void {
  if (
    line.some(
      (word, index) =>
        word === 'exec' && /^understudy(-api)?(@|$)/.test(basename(line[index - 1] ?? '')),
    )
  ) {
    throw new UsageError(
      'exec starts a server of its own, whose responses a sweep cannot change. Remove exec, and name its command after --.',
    )
  }
}

/** Checks that a service can have an id with the text of `--only`. @throws UsageError with the nearest id */
export function checkOnly({ only = '' }: SweepFlags, settings: SettingValues): void {
  const ids = settingVariants(settingIds, settings).map(({ id }) => id)
  if (ids.some((id) => id.includes(only))) return
  const near = didYouMean(only, [...settingIds, ...ids])
  const hint =
    near === undefined ? ' npx understudy-api settings lists the ids.' : ` Did you mean ${near}?`
  throw new UsageError(
    `Failed to read --only: no id of a service contains ${inspectValue(only)}.${hint}`,
  )
}
