import { didYouMean } from '../../utils/did-you-mean.ts'
import { unexpectedValue } from '../../utils/usage-error.ts'
import type { Time } from './time.ts'

/**
 * How a clock runs: `real` with the time of the machine, `frozen` at one moment, `ticking` at the same speed
 * from another one.
 */
export type ClockMode = 'real' | 'frozen' | 'ticking'

/** A mode, and the time to be frozen at or to tick from: by default the time the clock has. */
export interface ClockModeAndTime {
  readonly mode: ClockMode
  readonly time?: Time
}

/** The real time, a time at which the clock stands still, or a mode with its time. */
export type ClockSetting = 'real' | Time | ClockModeAndTime

const modes: readonly ClockMode[] = ['real', 'frozen', 'ticking']

/**
 * Any setting as a mode and a time.
 *
 * @throws UsageError for an unknown mode, or a time that is given to the real one
 * @example toModeAndTime('2024-06-01') // { mode: 'frozen', time: '2024-06-01' }
 */
export function parseClockSetting(setting: ClockSetting): ClockModeAndTime {
  if (setting === 'real') return { mode: 'real' }
  const isPair = typeof setting === 'object' && setting !== null && 'mode' in setting
  if (!isPair) return { mode: 'frozen', time: setting }
  const { mode, time } = setting
  if (!modes.includes(mode)) {
    const meant = didYouMean(String(mode), modes)
    throw unexpectedValue('set the clock', `a mode of ${modes.join(', ')}`, mode, meant, 'mode')
  }
  if (mode === 'real' && time !== undefined) {
    throw unexpectedValue('set the clock', 'no time in the mode real', time, undefined, 'time')
  }
  return setting
}
