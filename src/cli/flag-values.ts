import type { PolicyOverrides } from '../policies/settings.ts'
import { type FaultRequest, parseFault } from '../sandbox/faults/fault-request.ts'
import { parseReplayMode, type ReplayMode } from '../scenarios/replay-server/match-request.ts'
import { type UsageError, unexpectedValue } from '../utils/usage-error.ts'
import { type LogFormat, logFormats } from './log/request-line.ts'

/** Parses the port of the server. */
export function parsePort(text: string): number {
  const port = toPort(text)
  if (port === null) throw invalidFlagValue('port', portRange, text)
  return port
}

/** Parses the port of the proxy. It has no variable, because UNDERSTUDY_PORT is the port of a server that may run, too. */
export function parseProxyPort(text: string): number {
  const port = toPort(text)
  if (port === null) throw unexpectedValue('read --port', portRange, text)
  return port
}

const portRange = 'a port from 0 to 65535'

function toPort(text: string): number | null {
  return /^\d+$/.test(text) && Number(text) <= 65_535 ? Number(text) : null
}

/** Parses the seed of generated values. */
export function parseSeed(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw invalidFlagValue('seed', 'a whole number', text)
}

/** Parses the format of the request log. */
export function parseLogFormat(text: string): LogFormat {
  const format = logFormats.find((name) => name === text)
  if (format !== undefined) return format
  throw invalidFlagValue('log-format', `one of ${logFormats.join(', ')}`, text)
}

/** Parses the mode of a recording. */
export function parseMode(text: string): ReplayMode {
  return parseReplayMode(text, 'read --mode (or UNDERSTUDY_MODE)')
}

/** Parses `id=value`. A variable can have several pairs, separated by commas. */
export function parsePolicyFlag(text: string, before: PolicyOverrides): PolicyOverrides {
  const pairs = text.split(',').map((pair) => {
    const index = pair.indexOf('=')
    if (index < 0) throw invalidFlagValue('policy', 'id=value', pair)
    return [pair.slice(0, index).trim(), pair.slice(index + 1).trim()]
  })
  return { ...before, ...Object.fromEntries(pairs) }
}

/** Parses a preset or a rule as JSON. A variable can have one rule, or several presets separated by commas. */
export function parseFaultFlag(text: string, before: readonly FaultRequest[]): FaultRequest[] {
  const trimmed = text.trim()
  const faults = trimmed.startsWith('{') ? [trimmed] : trimmed.split(',')
  return [...before, ...faults.map((fault) => parseFault(fault.trim()))]
}

/** Parses `real`, a time, or `ticking:` and a time. The simulator checks the time. */
export function parseClockFlag(text: string): string | { mode: 'ticking'; time: string } {
  const [, time] = /^ticking:(.*)$/s.exec(text) ?? []
  return time === undefined ? text : { mode: 'ticking', time }
}

function invalidFlagValue(name: string, expected: string, text: string): UsageError {
  const variable = `UNDERSTUDY_${name.toUpperCase().replaceAll('-', '_')}`
  return unexpectedValue(`read --${name} (or ${variable})`, expected, text)
}

/** The keys of a target. */
export interface KeyFlags {
  /** The key for all labels without a key of their own */
  readonly key?: string
  /** Keys by their labels */
  readonly keys?: Readonly<Record<string, string>>
}

/** Parses `label=value`, or a value for all labels. Labels can contain "=", values cannot. */
export function parseKeyFlag(text: string, before: KeyFlags = {}): KeyFlags {
  const index = text.lastIndexOf('=')
  if (index < 0) return { ...before, key: text }
  return { ...before, keys: { ...before.keys, [text.slice(0, index)]: text.slice(index + 1) } }
}
