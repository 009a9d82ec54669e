import type { Faker } from '@faker-js/faker'
import { faker } from '@faker-js/faker/locale/en'
import { factory, nullable, primaryKey } from '@mswjs/data'
import type { Json } from '../rows.ts'

// The one file that imports @mswjs/data and faker: a quarter of a second, so only who generates pays.
export { nullable, primaryKey }

export type SeededFaker = Faker

export type Models = Parameters<typeof factory>[0]
export type Model = Models[string]

/** A row as the library hands it out. */
export type CreateRow = (values: object) => object

/**
 * Believable values that follow from a seed, whatever is drawn elsewhere; dates lie around `now`.
 *
 * @note `locale/en` exports only a shared instance. Its class makes one of our own, at a fifth of what
 * importing the class costs.
 */
export function createFaker(seed: number, now: number): SeededFaker {
  const Own = faker.constructor as typeof Faker
  const fake = new Own({ locale: faker.rawDefinitions, seed })
  fake.setDefaultRefDate(now)
  return fake
}

/** A JSON column. @note The library's types know no objects, and `nullable(Object)` would mean `{}`. */
export function jsonColumn(value: () => Json): Model[string] {
  return nullable(value as () => string)
}

/**
 * What makes rows of each model, as plain objects. The models keep every row: drop this after use.
 * The library checks no types.
 *
 * @example toFactory({ notes: { id: primaryKey(Number), text: String } }).notes({ id: 1 }) // { id: 1, text: '' }
 */
export function createModelFactory(models: Models): { readonly [name: string]: CreateRow } {
  const tables = withoutBroadcastChannel(() => factory(models))
  return Object.fromEntries(
    Object.entries(models).map(([name, model]) => {
      const columns = Object.keys(model)
      return [name, (values) => toPlainRow(tables[name]?.create(values as never) ?? {}, columns)]
    }),
  )
}

/**
 * @note Wherever `window` exists, the library opens a BroadcastChannel for each factory and never closes it:
 * a Node process with jsdom would not end.
 */
function withoutBroadcastChannel<Result>(make: () => Result): Result {
  const channel = globalThis.BroadcastChannel
  try {
    Reflect.set(globalThis, 'BroadcastChannel', undefined)
    return make()
  } finally {
    Reflect.set(globalThis, 'BroadcastChannel', channel)
  }
}

/** Without the two symbols that the library puts on each row, and which a spread would keep. */
function toPlainRow(row: object, columns: readonly string[]): object {
  const copy: Record<string, unknown> = {}
  for (const name of columns) copy[name] = (row as Record<string, unknown>)[name]
  return copy
}
