import type { Fake } from './library.ts'

/** Seeded luck: all that the content of rows knows of faker. */
export interface Dice {
  /** A whole number, both ends included. */
  whole(from: number, to: number): number
  /** True in this share of all throws. */
  odds(share: number): boolean
  /** One of a list that is not empty. */
  pick<Value>(list: readonly Value[]): Value
  /** The same, of any list; nothing of an empty one. */
  any<Value>(list: readonly Value[]): Value | undefined
  /** One of a list, each as often as its weight says. */
  weigh<Value extends { readonly weight: number }>(list: readonly Value[]): Value
  /** Letters and digits that mean nothing: for tokens and short ids. */
  token(length: number): string
  /** What a commit is called. */
  commit(): string
  word(): string
  firstName(): string
  lastName(): string
}

export function toDice(fake: Fake): Dice {
  const whole = (min: number, max: number) => fake.number.int({ min, max })
  return {
    whole,
    odds: (share) => fake.datatype.boolean(share),
    pick: (list) => fake.helpers.arrayElement(list),
    any: (list) => (list.length > 0 ? fake.helpers.arrayElement(list) : undefined),
    weigh(list) {
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
    token: (length) => fake.string.alphanumeric(length),
    commit: () => fake.git.commitSha({ length: 7 }),
    word: () => fake.word.noun(),
    firstName: () => fake.person.firstName(),
    lastName: () => fake.person.lastName(),
  }
}
