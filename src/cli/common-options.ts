import process from 'node:process'
import { Option } from 'commander'
import { UsageError, unexpectedValue, unknownWord } from '../utils/usage-error.ts'

/**
 * Limits a flag to some words. Unlike commander's own error, that of this flag suggests the nearest word.
 *
 * @param source the flag, and its variable if it has one
 */
export function withChoices(
  option: Option,
  words: readonly string[],
  source: string = String(option.long),
): Option {
  return option.choices(words).argParser((text) => {
    if (words.includes(text)) return text
    throw unknownWord(`read ${source}`, words, text)
  })
}

/** The environment variable of a flag. */
export function variableName({ long }: Option): string {
  return `UNDERSTUDY_${(long as string).slice(2).toUpperCase().replaceAll('-', '_')}`
}

/** @param source the flag, and its variable if it has one */
export function portParser(source: string): (text: string) => number {
  return (text) => {
    if (/^\d+$/.test(text) && Number(text) <= 65_535) return Number(text)
    throw unexpectedValue(`read ${source}`, 'a port from 0 to 65535', text)
  }
}

/** The flag of commands that write recordings, journals or logs. */
export function redactOption(): Option {
  return new Option('--redact <name>', 'another secret header, parameter or field; can be repeated')
    .default([], 'none')
    .argParser((text: string, before: readonly string[]) => [
      ...before,
      ...text.split(',').map((name) => name.trim()),
    ])
}

export function targetTokenOption(): Option {
  const option = new Option('--token <text>', 'control API token of the target')
  return process.env.UNDERSTUDY_TOKEN === '' ? option : option.env('UNDERSTUDY_TOKEN')
}

export interface KeyFlags {
  /** The key for all labels without a key of their own */
  readonly key?: string
  readonly keys?: Readonly<Record<string, string>>
}

/** Parses `label=value`, or a value for all labels. Labels can contain "=", values cannot. */
export function parseKeyFlag(text: string, before: KeyFlags = {}): KeyFlags {
  const index = text.lastIndexOf('=')
  if (index < 0) return { ...before, key: text }
  return { ...before, keys: { ...before.keys, [text.slice(0, index)]: text.slice(index + 1) } }
}

/** Like `parseKeyFlag`, for keys whose labels say their scopes: a key without a label has all. @throws UsageError */
export function parseScopedKeyFlag(text: string, before: KeyFlags = {}): KeyFlags {
  const index = text.lastIndexOf('=')
  const label = index < 0 ? 'all' : text.slice(0, index)
  if (before.keys && Object.hasOwn(before.keys, label)) {
    const hint = label === 'all' ? ', which is also the label of a key without one' : ''
    throw new UsageError(
      `Failed to read --key: two keys have the label ${label}${hint}. Give each key the label of its scopes.`,
    )
  }
  return { keys: { ...before.keys, [label]: text.slice(index + 1) } }
}
