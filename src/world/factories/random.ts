import type { SeededFaker } from './library.ts'

/** Seeded random values. */
export interface RandomSource {
  /** A whole number, including both ends */
  integer(from: number, to: number): number
  /** True with this probability */
  chance(probability: number): boolean
  /** An item of a non-empty list */
  pick<Value>(list: readonly Value[]): Value
  /** An item of a list, or undefined for an empty list */
  pickOptional<Value>(list: readonly Value[]): Value | undefined
  /** An item of a non-empty list, with a probability in proportion to its weight */
  pickWeighted<Value extends { readonly weight: number }>(list: readonly Value[]): Value
  /** Random letters and digits, for tokens and short ids */
  alphanumeric(length: number): string
  /** A commit hash of seven characters */
  commitSha(): string
  word(): string
  firstName(): string
  lastName(): string
}

export function createRandomSource(fake: SeededFaker): RandomSource {
  const integer = (min: number, max: number) => fake.number.int({ min, max })
  return {
    integer,
    chance: (probability) => fake.datatype.boolean(probability),
    pick: (list) => fake.helpers.arrayElement(list),
    pickOptional: (list) => (list.length > 0 ? fake.helpers.arrayElement(list) : undefined),
    pickWeighted(list) {
      const total = list.reduce((sum, { weight }) => sum + weight, 0)
      let rest = integer(1, total)
      const item = list.find(({ weight }) => {
        rest -= weight
        return rest <= 0
      })
      return item as (typeof list)[number]
    },
    alphanumeric: (length) => fake.string.alphanumeric(length),
    commitSha: () => fake.git.commitSha({ length: 7 }),
    word: () => fake.word.noun(),
    firstName: () => fake.person.firstName(),
    lastName: () => fake.person.lastName(),
  }
}
