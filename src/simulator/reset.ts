import { checkAll, unexpectedValue, unknownWord } from '../utils/errors.ts'
import { checkOptions, option } from '../utils/options.ts'

/** A part of a simulator that `reset` restores. The rows include the keys. */
export type ResetPart = 'rows' | 'keys' | 'settings' | 'clock' | 'faults'

/** Options of `simulator.reset`. */
export interface ResetOptions {
  /** The parts to restore. By default all of them. */
  readonly only?: readonly ResetPart[]
}

export const resetParts: readonly ResetPart[] = ['rows', 'keys', 'settings', 'clock', 'faults']

/** @throws UsageError for an unknown option or part */
export function parseResetParts(options: ResetOptions): readonly ResetPart[] {
  const { only = resetParts } = Object(options) as ResetOptions
  const checkPart = (part: ResetPart, index: number): void => {
    if (!resetParts.includes(part)) throw unknownWord('reset', resetParts, part, `only[${index}]`)
  }
  checkAll('reset', [
    () => checkOptions(options, { only: option.any }, 'reset'),
    () => {
      if (Array.isArray(only)) return
      const expected = `a list of ${resetParts.join(', ')}`
      throw unexpectedValue('reset', expected, only, undefined, 'only')
    },
    ...[only].flat().map((part, index) => () => Array.isArray(only) && checkPart(part, index)),
  ])
  return only
}
