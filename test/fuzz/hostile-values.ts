import type { Random } from '../support/random.ts'

/** JSON text that no value has: `1e999`, `NaN`, an escape that is cut off. */
export class Raw {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** An object as it is sent: in order, with repeated names and with `__proto__`. */
export class Members {
  readonly entries: [string, Value][]

  constructor(entries: [string, Value][]) {
    this.entries = entries
  }
}

export type Value = null | boolean | number | string | Raw | Members | Value[]

export function toText(value: Value): string {
  if (value instanceof Raw) return value.text
  if (Array.isArray(value)) return `[${value.map(toText).join(',')}]`
  if (value instanceof Members) {
    const members = value.entries.map(([name, one]) => `${JSON.stringify(name)}:${toText(one)}`)
    return `{${members.join(',')}}`
  }
  return JSON.stringify(value)
}

/** Converts a plain value, such as an example. */
export function toValue(value: unknown): Value {
  if (Array.isArray(value)) return value.map(toValue)
  if (typeof value !== 'object' || value === null) return (value ?? null) as Value
  return new Members(Object.entries(value).map(([name, one]) => [name, toValue(one)]))
}

/** Texts at which parsers, tables and patterns break. */
export const hostileTexts: readonly string[] = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'a\udc00\ud800',
  '\ufeff',
  '\u2028\u2029',
  '\r\nx-injected: yes',
  '\u001b[2J',
  'İıſßﬁ',
  '👩‍👩‍👧‍👦',
  'e\u0301'.repeat(300),
  '١٢٣',
  '１２',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'null',
  'undefined',
  'true',
  'NaN',
  'Infinity',
  '-1',
  '+1',
  ' 1 ',
  '1_000',
  '0x10',
  '1e3',
  '1.0',
  '٣',
  '9'.repeat(30),
  '9'.repeat(5_000),
  '-9223372036854775808',
  '9007199254740993',
  '..',
  '../../etc/passwd',
  '%00',
  '%',
  '%ff%fe',
  '//',
  '?',
  '#',
  ';',
  '@current',
  '*',
  "' OR 1=1 --",
  '<script>alert(1)</script>',
  '{{7*7}}',
  '(a+)+$',
  'a'.repeat(200),
  'a'.repeat(201),
  'a'.repeat(400),
  'a'.repeat(401),
  'a'.repeat(801),
  'x'.repeat(20_000),
  '2024-02-30',
  '2024-06-01T24:00:00Z',
  '2024-06-01T23:59:60Z',
  '2024-06-01T00:00:00+14:00',
  '0001-01-01T00:00:00+23:59',
  '9999-12-31T23:59:59-23:59',
  '0000-01-01T00:00:00Z',
  '10000-01-01T00:00:00Z',
  '2024-06-01T00:00:00.123456789Z',
  '2024-06-01 00:00',
  'https://github.com/PostHog/posthog-plugin',
  `https://gitlab.com/a/b/-/tree/${'a'.repeat(300)}`,
  'file:///etc/passwd',
  'javascript:alert(1)',
]

const hostileTokens = [
  '1e999',
  '-1e999',
  '-0',
  '-0.0',
  '1e-999',
  '9007199254740993',
  '123456789012345678901234567890',
  '1'.repeat(5_000),
  '0.1',
  '01',
  '1.',
  '.5',
  '+1',
  'NaN',
  'Infinity',
  '-Infinity',
  'undefined',
  'True',
  '"\\ud800"',
  '"\\udc00\\ud800"',
  '"\\u0000"',
  '"\\x41"',
  '"\\u12"',
  '"a',
  '"\t"',
  "'a'",
  '//a',
  '{"a":1,}',
  '[1,]',
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  `${'['.repeat(200)}${']'.repeat(200)}`,
  `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
  `${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)}`,
  '['.repeat(5_000),
] as const

const hostileNames = [
  '__proto__',
  'constructor',
  'prototype',
  'toJSON',
  'id',
  '',
  'length',
  '\ud800',
]

export function hostileText(random: Random): string {
  return random.pick(hostileTexts)
}

/** Any JSON, and some texts that are not JSON. */
export function hostileValue(random: Random, depth = 0): Value {
  switch (random.below(depth > 3 ? 6 : 8)) {
    case 0:
      return hostileText(random)
    case 1:
      return new Raw(random.pick(hostileTokens))
    case 2:
      return random.pick([null, true, false])
    case 3:
      return random.pick([0, 1, -1, 0.5, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, -(2 ** 63), 1e21])
    case 4:
      return String(random.below(1_000))
    case 5:
      return random.below(2 ** 32)
    case 6:
      return Array.from({ length: random.below(4) }, () => hostileValue(random, depth + 1))
    default:
      return new Members(
        Array.from({ length: random.below(4) }, () => [
          random.pick(hostileNames),
          hostileValue(random, depth + 1),
        ]),
      )
  }
}

/** Replaces, removes, adds or repeats one member somewhere in a value. */
export function mutate(value: Value, random: Random): Value {
  if (value instanceof Members && value.entries.length > 0 && random.below(8) > 0) {
    const entries = value.entries.map(([name, one]): [string, Value] => [name, one])
    const index = random.below(entries.length)
    const [name, one] = entries[index] as [string, Value]
    switch (random.below(8)) {
      case 0:
        entries.splice(index, 1)
        break
      case 1:
        entries.push([name, hostileValue(random)])
        break
      case 2:
        entries.push([random.pick(hostileNames), hostileValue(random)])
        break
      default:
        entries[index] = [name, mutate(one, random)]
    }
    return new Members(entries)
  }
  if (Array.isArray(value) && value.length > 0 && random.below(4) > 0) {
    const index = random.below(value.length)
    return value.map((one, at) => (at === index ? mutate(one, random) : one))
  }
  return hostileValue(random)
}
