import type { SeededFaker } from './library.ts'

export class RandomSource {
  readonly fake: SeededFaker

  constructor(fake: SeededFaker) {
    this.fake = fake
  }

  /** A whole number, including both ends */
  integer(min: number, max: number): number {
    return this.fake.number.int({ min, max })
  }

  chance(probability: number): boolean {
    return this.fake.datatype.boolean(probability)
  }

  pick<Value>(list: readonly Value[]): Value {
    return this.fake.helpers.arrayElement(list)
  }

  /** One of several words, separated by `|` */
  pickWord(words: string): string {
    return this.pick(words.split('|'))
  }

  pickOptional<Value>(list: readonly Value[]): Value | undefined {
    return list.length > 0 ? this.pick(list) : undefined
  }

  /** An item of a non-empty list, with a probability in proportion to its weight */
  pickWeighted<Value extends { readonly weight: number }>(list: readonly Value[]): Value {
    const total = list.reduce((sum, { weight }) => sum + weight, 0)
    let rest = this.integer(1, total)
    const item = list.find(({ weight }) => {
      rest -= weight
      return rest <= 0
    })
    return item as Value
  }

  /** A commit hash of seven characters */
  commitSha(): string {
    return this.fake.git.commitSha({ length: 7 })
  }

  word(): string {
    return this.fake.word.noun()
  }
}
