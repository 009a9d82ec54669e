import type { Faker } from '@faker-js/faker'
import { faker } from '@faker-js/faker/locale/en'
import { factory, nullable, primaryKey } from '@mswjs/data'
import type { Json } from '../rows.ts'

// The only file that imports @mswjs/data and faker. Importing them takes a quarter of a second.
export { nullable, primaryKey }

export type SeededFaker = Faker

type Models = Parameters<typeof factory>[0]
export type Model = Models[string]

export type CreateRow = (values: object) => object

/**
 * Creates an independent faker with dates around `now`. `locale/en` exports only a shared instance. Taking the class
 * from it is five times as fast as importing the class.
 *
 * @param numbers the source of all its values. Seeding faker's own source takes longer than generating a row
 */
export function createFaker(numbers: { next(): number }, now: number): SeededFaker {
  const FakerClass = faker.constructor as typeof Faker
  const randomizer = { next: () => numbers.next(), seed: () => {} }
  const fake = new FakerClass({ locale: faker.rawDefinitions, randomizer })
  fake.setDefaultRefDate(now)
  return fake
}

/** A JSON column. The types of the library do not allow objects, and `nullable(Object)` means `{}`. */
export function jsonColumn(createDefault: () => Json): Model[string] {
  return nullable(createDefault as () => string)
}

/**
 * Creates a function per model that creates rows as plain objects. The models keep every row in memory, and do not
 * check types.
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
 * Hides BroadcastChannel from the library. If `window` exists, the library opens a channel for each factory and never
 * closes it, so that a Node process with jsdom would not end.
 */
function withoutBroadcastChannel<Result>(run: () => Result): Result {
  const channel = globalThis.BroadcastChannel
  try {
    Reflect.set(globalThis, 'BroadcastChannel', undefined)
    return run()
  } finally {
    Reflect.set(globalThis, 'BroadcastChannel', channel)
  }
}

/** Removes the two symbols that the library adds to each row. A spread would keep them. */
function toPlainRow(row: object, columns: readonly string[]): object {
  const copy: Record<string, unknown> = {}
  for (const name of columns) copy[name] = (row as Record<string, unknown>)[name]
  return copy
}
