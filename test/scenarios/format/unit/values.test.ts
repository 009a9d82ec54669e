import { expect, test } from 'vitest'
import { describeExpected, diffWithMatchers } from '../../../../src/scenarios/format/compare.ts'
import { type Step, stepTitle } from '../../../../src/scenarios/format/scenario.ts'
import {
  escapeLiterals,
  fillForSending,
  fillText,
  fillValue,
  findNames,
  findNamesInText,
  toLiteral,
  toSpecialValue,
} from '../../../../src/scenarios/format/values.ts'

const saved = new Map<string, unknown>([
  ['id', 5],
  ['none', null],
  ['row', { a: 1 }],
])

test.each([
  ['no name', [], 'no name'],
  ['', [], ''],
  ['{id}', ['id'], '5'],
  ['{id}{none}-{id}', ['id', 'none', 'id'], '5null-5'],
  ['{{id}}', [], '{id}'],
  ['{{id}} {id} {{none}}', ['id'], '{id} 5 {none}'],
  ['{{{id}}}', [], '{{id}}'],
  ['{row}', ['row'], '[object Object]'],
  ['{gone}', ['gone'], 'undefined'],
  ['{a b} {} {a-b} {', [], '{a b} {} {a-b} {'],
])('the text %j has the names %j and is filled to %j', (text, names, filled) => {
  expect([findNamesInText(text), fillText(text, saved)]).toEqual([names, filled])
})

test.each([
  [{ $saved: 'id' }, { keyword: '$saved', value: 'id' }],
  [{ $text: '' }, { keyword: '$text', value: '' }],
  [{ $match: 'id' }, { keyword: '$match', value: 'id' }],
  [{ $pattern: 5 }, { keyword: '$pattern', value: 5 }],
  [{ $not: undefined }, { keyword: '$not', value: undefined }],
  [{ $literal: null }, { keyword: '$literal', value: null }],
  [{ $other: 1 }, null],
  [{ saved: 1 }, null],
  [{ $saved: 'id', a: 1 }, null],
  [{}, null],
  [null, null],
  ['$saved', null],
  [['$saved'], null],
])('%j is the special value %j', (value, special) => {
  expect(toSpecialValue(value)).toEqual(special)
})

test.each([
  [{ $saved: 'id' }, [['id', 'at']]],
  [{ $saved: 5 }, [['5', 'at']]],
  [
    { $text: '{id} {none}' },
    [
      ['id', 'at'],
      ['none', 'at'],
    ],
  ],
  [{ $literal: { $saved: 'id' } }, []],
  [{ $not: { $saved: 'id' } }, [['id', 'at.$not']]],
  [
    { a: [{ b: { $saved: 'id' } }, '{id}', null], c: { $text: '{id}' } },
    [
      ['id', 'at.a[0].b'],
      ['id', 'at.c'],
    ],
  ],
  [[[{ $saved: 'id' }]], [['id', 'at[0][0]']]],
  ['{id}', []],
  [null, []],
])('the names in %j are %j', (value, names) => {
  expect(findNames(value, 'at')).toEqual(names.map(([name, path]) => ({ name, path })))
})

/** A value, and what it is as an expectation and as a body. */
test.each([
  [{ $saved: 'row' }, { a: 1 }, { a: 1 }],
  [{ $saved: 'gone' }, undefined, undefined],
  [{ $text: 'No. {id}' }, 'No. 5', 'No. 5'],
  [{ $literal: { $saved: 'id' } }, { $literal: { $saved: 'id' } }, { $saved: 'id' }],
  [{ $match: 'id' }, { $match: 'id' }, { $match: 'id' }],
  [{ $not: { $saved: 'id' } }, { $not: 5 }, { $not: 5 }],
  ['{id}', '{id}', '{id}'],
  [null, null, null],
  [
    { a: [{ $saved: 'id' }, { $literal: [{ $literal: 1 }] }], b: { $saved: 'none' } },
    { a: [5, { $literal: [{ $literal: 1 }] }], b: null },
    { a: [5, [{ $literal: 1 }]], b: null },
  ],
])('%j is expected as %j and sent as %j', (value, expected, sent) => {
  expect([fillValue(value, saved), fillForSending(value, saved)]).toEqual([expected, sent])
})

/** A value, and how it is written so that it means itself, as a whole and with the innermost objects. */
test.each<[unknown, unknown, unknown]>([
  [{ $match: 'id' }, { $literal: { $match: 'id' } }, { $literal: { $match: 'id' } }],
  [{ a: 1, $b: 2 }, { $literal: { a: 1, $b: 2 } }, { $literal: { a: 1, $b: 2 } }],
  [
    { a: [{ $b: { $c: 1 } }, { d: 1 }] },
    { $literal: { a: [{ $b: { $c: 1 } }, { d: 1 }] } },
    { a: [{ $literal: { $b: { $c: 1 } } }, { d: 1 }] },
  ],
  [
    { a: '$b', c$: 1 },
    { a: '$b', c$: 1 },
    { a: '$b', c$: 1 },
  ],
  ['$a', '$a', '$a'],
  [null, null, null],
])('%j is the literal %j, and %j in parts', (value, literal, escaped) => {
  expect([toLiteral(value), escapeLiterals(value)]).toEqual([literal, escaped])
  expect([literal, escaped].map((one) => fillForSending(one, saved))).toEqual([value, value])
})

/** An expectation, a value, whether it is as expected in part, and whether it is exactly. */
test.each<[unknown, unknown, boolean, boolean]>([
  [{ $match: 'id' }, 1, true, true],
  [{ $match: 'id' }, 'a', false, false],
  [{ $match: 'other' }, { $match: 'other' }, true, true],
  [{ $pattern: '^a' }, 'ab', true, true],
  [{ $pattern: '^a' }, 'ba', false, false],
  [{ $pattern: '1' }, 1, false, false],
  [{ $not: { a: 1 } }, { a: 1 }, false, false],
  [{ $not: { a: 1 } }, { a: 1, b: 2 }, false, true],
  [{ $not: { $match: 'id' } }, 0, true, true],
  [{ $literal: { a: 1 } }, { a: 1, b: 2 }, true, false],
  [{ $literal: { $match: 'id' } }, 1, false, false],
  [{ $saved: 'id' }, { $saved: 'id' }, true, true],
  [{ a: [{ $match: 'any' }] }, { a: [null], b: 1 }, true, false],
])('%j and %j match in part: %j, and exactly: %j', (expected, actual, inPart, exactly) => {
  const matches = [false, true].map((isExact) => diffWithMatchers(expected, actual, isExact))

  expect(matches.map(({ length }) => length === 0)).toEqual([inPart, exactly])
})

test.each([
  [{ $match: 'other' }, '{"$match":"other"}'],
  [{ $not: { $not: 5 } }, 'anything but anything but 5'],
  [{ $saved: 'id' }, '"id"'],
  [{ a: { $match: 'id' } }, '{"a":{"$match":"id"}}'],
  [undefined, 'nothing'],
])('%j is described as %s', (expected, description) => {
  expect(describeExpected(expected)).toBe(description)
})

test.each<[Step, string]>([
  [{ title: 'read it', method: 'GET', path: '/a' }, 'read it'],
  [{ method: 'GET', path: '/a/{id}' }, 'GET /a/{id}'],
  [{ title: '', reset: true }, ''],
  [{ reset: true }, 'reset'],
  [{ save: { id: '/keys/0' }, rows: {} }, 'rows'],
])('the title of the step %j is %j', (step, title) => {
  expect(stepTitle(step)).toBe(title)
})
