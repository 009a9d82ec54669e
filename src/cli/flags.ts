import { type ServedValue, servedValues } from '../exec/run-command.ts'
import { mistakeModes } from '../report/mistake-lines.ts'
import type { KeyValues } from '../scenarios/run/sender.ts'
import { parseForward } from '../server/forwarding.ts'
import { parseSettingFile } from '../settings/file.ts'
import { profiles } from '../settings/profiles.ts'
import { type SettingOverrides, settingIssues } from '../settings/resolve.ts'
import { presetNames } from '../simulator/faults/presets.ts'
import { parseFault } from '../simulator/faults/schema.ts'
import {
  didYouMean,
  formatIssue,
  UsageError,
  unexpectedValue,
  unknownWord,
} from '../utils/errors.ts'
import type { Input } from '../utils/input.ts'
import { Clock } from '../world/clock/clock.ts'
import { fixtureNames } from '../world/load/read-world.ts'
import type { Flag, FlagValues } from './command.ts'

/**
 * A flag that can be repeated. Its values are listed.
 *
 * @param split reads one of its texts, which can have several values. By default it is one: a file name can have commas
 */
export function repeated<T = string>(
  split: (text: string, source: string) => readonly T[] = (text) => [text as T],
) {
  return {
    default: [],
    defaultText: 'none',
    parse: (text: string, source: string, before: readonly T[]): readonly T[] => [
      ...before,
      ...split(text, source),
    ],
  } as const
}

/** A flag whose values are words, also several with commas between. */
const repeatedWords = repeated((text, source): readonly string[] => {
  const words = text.split(',').map((word) => word.trim())
  if (words.includes('')) throw unexpectedValue(`read ${source}`, 'names with commas between', text)
  return words
})

export function failOnFlag<Kind extends string>(
  text: string,
  kinds: readonly Kind[],
  byDefault: readonly Kind[] = kinds,
) {
  const names = [...kinds, 'none']
  return {
    text: `${text}: ${kinds.join(', ')}, or none; can be repeated`,
    default: byDefault,
    defaultText: byDefault.join(', ') || 'none',
    parse(text: string, source: string, before: readonly Kind[]): readonly Kind[] {
      const words = text.split(',')
      for (const word of words) {
        if (!names.includes(word)) throw unknownWord(`read ${source}`, names, word)
      }
      const named = kinds.filter((kind) => words.includes(kind))
      return before === byDefault ? named : [...before, ...named]
    },
  }
}

/** A flag whose value is a whole number. @param what is expected, such as `a port from 0 to 65535` */
export function wholeNumber(what: string, min: number, max: number) {
  return (text: string, source: string) => {
    const number = Number(text)
    if (/^\d{1,15}$/.test(text) && number >= min && number <= max) return number
    throw unexpectedValue(`read ${source}`, what, text)
  }
}

export const parsePort = wholeNumber('a port from 0 to 65535', 0, 65_535)

/** The flag of commands that write recordings, journals or logs. */
export const redactFlag = {
  text: 'another secret header, parameter or field; can be repeated',
  ...repeatedWords,
} as const

/** Of commands that end. A server prints one line of JSON when it listens. */
export const jsonFlag = 'print the result as JSON'

export const reportFlag = {
  text: 'write a report to this .txt, .json or .xml (JUnit) file; can be repeated',
  ...repeated(),
  file: 'report',
} as const

/** Parses `label=value`, or a value for all labels. @throws UsageError for no value */
export function parseKey(text: string, source: string, before: KeyValues = {}): KeyValues {
  const { label, value } = splitKey(text, source)
  if (label === undefined) return { ...before, key: value }
  return { ...before, keys: { ...before.keys, [label]: value } }
}

/** Like `parseKey`, for keys whose labels say their scopes: a key without a label has all. @throws UsageError */
export function parseScopedKey(text: string, source: string, before: KeyValues = {}): KeyValues {
  const { label = 'all', value } = splitKey(text, source)
  if (before.keys && Object.hasOwn(before.keys, label)) {
    throw new UsageError(
      `Failed to read ${source}: two keys have the label ${label}. Give each that of its scopes: without one, it is all.`,
    )
  }
  return { keys: { ...before.keys, [label]: value } }
}

/** A label can contain "=". A value can end with it, as base64 does. */
function splitKey(text: string, source: string): { label?: string; value: string } {
  const [, label, value] = /^(.*)=([^=]+=*)$/s.exec(text) ?? []
  if (label !== undefined && value !== undefined) return { label, value }
  // Shorter, it is rather a label of which a script left the value empty.
  if (/^(?:[^=]+|[\w+/-]{16,}=*)$/.test(text)) return { value: text }
  throw new UsageError(`Failed to read ${source}: expected a key, or label=value, got no value.`)
}

type CommandName = 'serve' | 'exec' | 'sweep' | 'mcp' | 'explain' | 'compare'

interface SharedFlag extends Flag {
  readonly of: readonly CommandName[]
}

const serving = ['serve', 'mcp'] as const
const single = ['serve', 'exec', 'mcp'] as const
const running = ['serve', 'exec', 'sweep', 'mcp'] as const
const simulating = [...running, 'explain'] as const
const describing = [...simulating, 'compare'] as const

/** The flags that several commands share, or that an environment variable sets, in the order of the help. */
const sharedFlags = {
  '--port <number>': {
    of: single,
    text: 'port; 0 selects any free port',
    default: 4010,
    parse: parsePort,
  },
  '--host <address>': { of: ['serve', 'exec'], text: 'address to listen on', default: '127.0.0.1' },
  '--world <file|name>': {
    of: simulating,
    text: `world to start with: a file, or ${fixtureNames.join(', ')}`,
    default: 'default',
    file: 'read',
  },
  '--state <file>': {
    of: serving,
    text: 'save the world in this file, and load it at the next start; a new file starts with --world',
    file: 'write',
  },
  '--scenario <file|name>': {
    of: serving,
    text: 'serve the world of a scenario, with the faults that its requests met: a file, or one of the package; its setup wins over flags',
    file: 'read',
    conflicts: ['state'],
  },
  '--key <label=value>': {
    of: ['serve'],
    text: 'the value of a key that the scenario hides; can be repeated',
    parse: parseKey,
    // `exec` sets UNDERSTUDY_KEY for its command.
    hasVariable: false,
  },
  '--watch': { of: serving, text: 'reload the file of --world when it changes' },
  '--seed <number>': {
    of: simulating,
    text: 'seed for generated values',
    parse: wholeNumber('up to 15 digits', 0, 1e15),
  },
  '--profile <name>': {
    of: describing,
    text: `set of settings: ${profiles.join(' or ')}`,
    choices: profiles,
    default: 'documented',
  },
  '--settings <file>': {
    of: describing,
    text: 'settings of a server, as compare writes them; --set overrides them',
    read: (input: Input) => ({
      file: input.name,
      settings: parseSettingFile(input.json(), input.name),
    }),
    file: 'read',
  },
  '--set <id=value>': {
    of: describing,
    text: 'set a setting; can be repeated',
    default: {},
    defaultText: 'none',
    parse: parseSetting,
  },
  '--fault <name|rule>': {
    of: running,
    text: `inject a fault: ${presetNames.join(', ')}, or a rule as JSON; can be repeated`,
    ...repeated(splitFaults),
  },
  '--clock <time>': {
    of: simulating,
    text: '`real`, a time to freeze at, or `ticking:<time>`',
    default: 'real',
    parse: parseClock,
  },
  '--record <file>': {
    of: ['exec'],
    text: 'write the requests of the command as a scenario to this file',
    file: 'write',
  },
  '--env <NAME=value>': {
    of: ['exec', 'sweep'],
    text: `another variable of the command: its value is ${servedValues.join(', ')}; can be repeated`,
    default: {},
    defaultText: 'none',
    parse: parseVariable,
  },
  '--report <file>': { of: ['exec', 'sweep'], ...reportFlag },
  '--mistakes <mode>': {
    of: single,
    text: 'what to do about client mistakes; fail exits with 1, though never for notes',
    choices: mistakeModes,
    default: 'print',
  },
  '--redact <name>': { of: running, ...redactFlag },
  '--token <text>': { of: running, text: 'token required by the admin API' },
  '--handlers <file>': {
    of: running,
    text: 'module with your own MSW handlers, which respond before the API',
    file: 'read',
  },
  '--forward <url>': {
    of: running,
    text: 'forward requests outside the API to this service, without `Authorization: Bearer` and a key of the API',
    parse(text: string, source: string) {
      parseForward(text, `read ${source}`)
      return text
    },
  },
  '--scenarios <folder>': {
    of: serving,
    text: 'folder of the scenarios that the admin API can run',
  },
  '--json': { of: ['serve'], text: 'print one line of JSON when it listens' },
  '--quiet': { of: serving, text: 'print only the URL, and errors' },
} as const satisfies Readonly<Record<string, SharedFlag>>

type FlagTable = typeof sharedFlags

type FlagsOf<Command extends CommandName> = {
  readonly [Name in keyof FlagTable as Command extends FlagTable[Name]['of'][number]
    ? Name
    : never]: FlagTable[Name]
}

/** The port of servers that can be started several times at once. */
export const anyPort = { ...sharedFlags['--port <number>'], default: 0, hasVariable: true } as const

/** Selects the shared flags of a command. Each has an environment variable. */
export function flagsOf<Command extends CommandName>(command: Command): FlagsOf<Command> {
  const flags = Object.entries<SharedFlag>(sharedFlags)
    .filter(([, { of }]) => of.includes(command))
    .map(([name, flag]) => [name, { hasVariable: true, ...flag }])
  return Object.fromEntries(flags)
}

type Values = FlagValues<FlagTable>

export type SimulatorFlags = Pick<
  Values,
  'world' | 'seed' | 'profile' | 'settings' | 'set' | 'fault' | 'clock' | 'redact'
>

function parseClock(text: string, source: string) {
  const isTicking = text.startsWith('ticking:')
  const value = isTicking ? ({ mode: 'ticking', now: text.slice(8) } as const) : text
  try {
    new Clock(value)
    return value
  } catch {
    const expected = 'real, a time to freeze at such as 2024-06-01T12:00:00Z, or ticking:<time>'
    const [word = ''] = text.split(':')
    const meant = didYouMean(word, ['real', 'ticking'])
    throw unexpectedValue(
      `read ${source}`,
      expected,
      text,
      meant && meant + text.slice(word.length),
    )
  }
}

/** The pairs of a text, separated by commas. @param example of one, for the message @throws UsageError */
function pairsOf(text: string, source: string, example: string): [name: string, value: string][] {
  return text.split(',').map((pair) => {
    const [, name, value = ''] = /^\s*([^=\s]+)\s*=(.*)$/s.exec(pair) ?? []
    if (name === undefined) throw unexpectedValue(`read ${source}`, example, pair)
    return [name, value.trim()]
  })
}

function parseSetting(text: string, source: string, before: SettingOverrides): SettingOverrides {
  const settings = Object.fromEntries(pairsOf(text, source, 'id=value'))
  const [issue] = settingIssues(settings)
  if (issue) throw new UsageError(`Failed to read ${source}: ${formatIssue(issue)}`)
  return { ...before, ...settings }
}

function parseVariable(
  text: string,
  source: string,
  before: Readonly<Record<string, ServedValue>>,
): Readonly<Record<string, ServedValue>> {
  const variables = Object.fromEntries(pairsOf(text, source, 'NAME=url'))
  const values: readonly string[] = servedValues
  const wrong = Object.values(variables).find((value) => !values.includes(value))
  if (wrong !== undefined) throw unknownWord(`read ${source}`, servedValues, wrong)
  return { ...before, ...(variables as Record<string, ServedValue>) }
}

/** Splits presets, or a rule as JSON. A variable can have one rule, or several presets separated by commas. */
function splitFaults(text: string) {
  const faults = /^\s*\{/.test(text) ? [text] : text.split(',')
  return faults.map((fault) => parseFault(fault.trim()))
}
