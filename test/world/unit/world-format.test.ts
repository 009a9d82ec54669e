import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
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
