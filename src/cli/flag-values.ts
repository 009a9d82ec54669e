import type { PolicyOverrides } from '../policies/settings.ts'
import { type FaultRequest, parseFault } from '../sandbox/faults/fault-request.ts'
import { parseReplayMode, type ReplayMode } from '../scenarios/replay-server/match-request.ts'
import { type UsageError, unexpectedValue } from '../utils/usage-error.ts'
import { type LogFormat, logFormats } from './log/request-line.ts'

/** A port of the server. */
export function parsePort(text: string): number {
  const port = toPort(text)
  if (port === null) throw invalidFlagValue('port', portRange, text)
  return port
}

/** A port of the proxy: that of the server, which has a variable, may be open at the same time. */
export function parseProxyPort(text: string): number {
  const port = toPort(text)
  if (port === null) throw unexpectedValue('read --port', portRange, text)
  return port
}

const portRange = 'a port from 0 to 65535'

function toPort(text: string): number | null {
  return /^\d+$/.test(text) && Number(text) <= 65_535 ? Number(text) : null
}

export function parseSeed(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw invalidFlagValue('seed', 'a whole number', text)
}

/** How requests are logged. */
export function parseLogFormat(text: string): LogFormat {
  const format = logFormats.find((name) => name === text)
  if (format !== undefined) return format
  throw invalidFlagValue('log-format', `one of ${logFormats.join(', ')}`, text)
}

/** How a recording answers. */
export function parseMode(text: string): ReplayMode {
  return parseReplayMode(text, 'read --mode (or UNDERSTUDY_MODE)')
}

/** `id=value`; in the environment several, with commas between them. */
export function parsePolicyFlag(text: string, before: PolicyOverrides): PolicyOverrides {
  const pairs = text.split(',').map((pair) => {
    const at = pair.indexOf('=')
    if (at < 0) throw invalidFlagValue('policy', 'id=value', pair)
    return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()]
  })
  return { ...before, ...Object.fromEntries(pairs) }
}

/** A preset or a rule as JSON; in the environment one rule, or several presets with commas between them. */
export function parseFaultFlag(text: string, before: readonly FaultRequest[]): FaultRequest[] {
  const given = text.trim()
  const texts = given.startsWith('{') ? [given] : given.split(',').map((name) => name.trim())
  return [...before, ...texts.map(parseFault)]
}

/** `real`, a time, or `ticking:` and a time. Whether it is a time is found when the clock is set. */
export function parseClockFlag(text: string): string | { mode: 'ticking'; time: string } {
  const [, time] = /^ticking:(.*)$/s.exec(text) ?? []
  return time === undefined ? text : { mode: 'ticking', time }
}

function invalidFlagValue(name: string, expected: string, text: string): UsageError {
  const variable = `UNDERSTUDY_${name.toUpperCase().replaceAll('-', '_')}`
  return unexpectedValue(`read --${name} (or ${variable})`, expected, text)
}

/** Keys of a target: by label, and one for all that are not named. */
export interface KeyFlags {
  readonly key?: string
  readonly keys?: Readonly<Record<string, string>>
}

/** `label=value`, or a value for all. @note Values have no `=`, labels may: the last one parts them. */
export function parseKeyFlag(text: string, before: KeyFlags = {}): KeyFlags {
  const at = text.lastIndexOf('=')
  if (at < 0) return { ...before, key: text }
  return { ...before, keys: { ...before.keys, [text.slice(0, at)]: text.slice(at + 1) } }
}
