import { checkAll, unknownWord } from '../utils/errors.ts'
import { checkOptions, type OptionTypes } from '../utils/options.ts'

/** A part of a simulator that `reset` restores. The rows include the keys. */
export type ResetPart = 'rows' | 'keys' | 'settings' | 'clock' | 'faults'

/** Options of `simulator.reset`. */
export interface ResetOptions {
  /** The parts to restore. By default all of them. */
  readonly only?: readonly ResetPart[]
}

export const resetParts: readonly ResetPart[] = ['rows', 'keys', 'settings', 'clock', 'faults']

const resetOptions: OptionTypes<ResetOptions> = {
  only: [`a list of ${resetParts.join(', ')}`, Array.isArray],
}

/** @throws UsageError for an unknown option or part */
export function parseResetParts(options: ResetOptions): readonly ResetPart[] {
  const { only = resetParts } = Object(options) as ResetOptions
  const checkPart = (part: ResetPart, index: number): void => {
    if (!resetParts.includes(part)) throw unknownWord('reset', resetParts, part, `only[${index}]`)
  }
  checkAll('reset', [
    () => checkOptions(options, resetOptions, 'reset'),
    ...[only].flat().map((part, index) => () => Array.isArray(only) && checkPart(part, index)),
  ])
  return only
}
