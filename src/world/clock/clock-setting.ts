import { didYouMean } from '../../utils/did-you-mean.ts'
import { unexpectedValue } from '../../utils/usage-error.ts'
import type { Time } from './time.ts'

/**
 * How a clock runs. `real`: with the time of the machine. `frozen`: at one moment. `ticking`: at real speed, from
 * another moment.
 */
export type ClockMode = 'real' | 'frozen' | 'ticking'

/** A mode, and the time to freeze at or to tick from; default: the current time of the clock. */
export interface ClockModeAndTime {
  readonly mode: ClockMode
  readonly time?: Time
}

/** `real`, a time to freeze at, or a mode with its time. */
export type ClockSetting = 'real' | Time | ClockModeAndTime

const modes: readonly ClockMode[] = ['real', 'frozen', 'ticking']

/**
 * Parses a setting into a mode and a time.
 *
 * @throws UsageError for an unknown mode, or a time together with the mode `real`
 * @example parseClockSetting('2024-06-01') // { mode: 'frozen', time: '2024-06-01' }
 */
export function parseClockSetting(setting: ClockSetting): ClockModeAndTime {
  if (setting === 'real') return { mode: 'real' }
  const hasMode = typeof setting === 'object' && setting !== null && 'mode' in setting
  if (!hasMode) return { mode: 'frozen', time: setting }
  const { mode, time } = setting
  if (!modes.includes(mode)) {
    const meant = didYouMean(String(mode), modes)
    throw unexpectedValue('set the clock', `one of ${modes.join(', ')}`, mode, meant, 'mode')
  }
  if (mode === 'real' && time !== undefined) {
    throw unexpectedValue('set the clock', 'no time with mode real', time, undefined, 'time')
  }
  return setting
}
