import type { SeededFaker } from './library.ts'

/** Seeded luck: all that the content of rows knows of faker. */
export interface RandomSource {
  /** A whole number, both ends included. */
  integer(from: number, to: number): number
  /** True in this share of all throws. */
  chance(share: number): boolean
  /** One of a list that is not empty. */
  pick<Value>(list: readonly Value[]): Value
  /** The same, of any list; nothing of an empty one. */
  pickOptional<Value>(list: readonly Value[]): Value | undefined
  /** One of a list, each as often as its weight says. */
  pickWeighted<Value extends { readonly weight: number }>(list: readonly Value[]): Value
  /** Letters and digits that mean nothing: for tokens and short ids. */
  alphanumeric(length: number): string
  /** What a commit is called. */
  commitSha(): string
  word(): string
  firstName(): string
  lastName(): string
}

export function createRandomSource(fake: SeededFaker): RandomSource {
  const whole = (min: number, max: number) => fake.number.int({ min, max })
  return {
    integer: whole,
    chance: (share) => fake.datatype.boolean(share),
    pick: (list) => fake.helpers.arrayElement(list),
    pickOptional: (list) => (list.length > 0 ? fake.helpers.arrayElement(list) : undefined),
    pickWeighted(list) {
      let left = whole(
        1,
        list.reduce((sum, { weight }) => sum + weight, 0),
      )
      const found = list.find(({ weight }) => {
        left -= weight
        return left <= 0
      })
      return found as (typeof list)[number]
    },
    alphanumeric: (length) => fake.string.alphanumeric(length),
    commitSha: () => fake.git.commitSha({ length: 7 }),
    word: () => fake.word.noun(),
    firstName: () => fake.person.firstName(),
    lastName: () => fake.person.lastName(),
  }
}
