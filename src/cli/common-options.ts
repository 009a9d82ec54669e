import process from 'node:process'
import { Option } from 'commander'
import { unexpectedValue, unknownWord } from '../utils/usage-error.ts'

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
