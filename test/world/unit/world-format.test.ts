import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { uuidFromNumber } from '../../../src/utils/seeded-random.ts'
import { isSameJson } from '../../../src/world/edit/row-json.ts'
import { openBuiltInWorld } from '../../../src/world/load/built-in-worlds.ts'
import { isJson, maxJsonDepth } from '../../../src/world/world-format.ts'

const nested = (levels: number): unknown =>
  Array.from({ length: levels }).reduce<unknown>((inner) => [inner], 1)

test.each([
  ['null', null, true],
  ['a text', 'a', true],
  ['false', false, true],
  ['0', 0, true],
  ['a list', [1, ['a', null]], true],
  ['an object', { a: { b: [] } }, true],
  ['an object without a prototype', Object.create(null), true],
  ['an object of another realm', runInNewContext('({ a: [1] })'), true],
  ['as many levels as allowed', nested(maxJsonDepth), true],
  ['one level more', nested(maxJsonDepth + 1), false],
  ['undefined', undefined, false],
  ['undefined in a list', [undefined], false],
  ['infinity', { a: Number.POSITIVE_INFINITY }, false],
  ['NaN', [Number.NaN], false],
  ['a bigint', 1n, false],
  ['a symbol', Symbol('a'), false],
  ['a function', { a: () => 1 }, false],
  ['a date', { a: new Date(0) }, false],
  ['a map', new Map(), false],
  ['an object of a class', new (class {})(), false],
])('isJson of %s', (_, value, expected) => {
  expect(isJson(value)).toBe(expected)
})

test.each([
  [1, 1, true],
  [1, 2, false],
  [null, null, true],
  [[1, 2], [1, 2], true],
  [[1, 2], [2, 1], false],
  [{ a: 1 }, { a: 1 }, true],
  [{ a: 1 }, { a: 2 }, false],
  ['1', 1, false],
  [undefined, null, false],
])('%j and %j are the same JSON: %s', (one, other, expected) => {
  expect(isSameJson(one, other)).toBe(expected)
})

test('uuidFromNumber', () => {
  expect([0, 7, 255].map(uuidFromNumber)).toEqual([
    '00000000-0000-4000-8000-000000000000',
    '00000000-0000-4000-8000-000000000007',
    '00000000-0000-4000-8000-0000000000ff',
  ])
})

test('a built-in world is opened by its name, and the error for another name says what to do', () => {
  const open = (name: string) => () => openBuiltInWorld(name as 'default')

  expect(openBuiltInWorld('default').tables.annotations.size).toBe(8)
  expect(openBuiltInWorld('empty').tables.annotations.size).toBe(0)
  expect(open('defalt')).toThrow(
    /^Failed to find the world: .+ got "defalt"\. Did you mean default\?$/,
  )
  for (const name of ['odd', 'crowded']) {
    expect(open(name)).toThrow(
      `Import ${name} from 'understudy-api/fixtures/${name}.json' and pass it, or in Node pass await readWorld('${name}'), with readWorld from 'understudy-api/node'.`,
    )
  }
})
