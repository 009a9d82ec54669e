import { randomText } from '../world/random.ts'

/** Makes values for what a recording leaves open and no simulation has. */
export type CreatePlaceholder = (word: string) => unknown

/** Ids that are made begin here, above those that rows of a world get. */
const firstId = 1_000_001

/**
 * Makes values by the words of `{ "$match": … }`, the same ones in each run.
 *
 * @param now the time, ISO 8601
 * @returns undefined for a word that leaves nothing to make
 */
export function placeholderFactory(seed: number, now: () => string): CreatePlaceholder {
  let made = 0
  return (word) => {
    made += 1
    switch (word) {
      case 'any':
        return null
      case 'id':
        return firstId + made
      case 'uuid':
        return createUuid(seed, made)
      case 'time':
        return now()
      case 'text':
        return `Text ${made}`
      case 'number':
        return made
      case 'boolean':
        return false
      case 'list':
        return []
      case 'object':
        return {}
      default:
        return undefined
    }
  }
}

/** Of version 4, by its form. */
function createUuid(seed: number, count: number): string {
  const digits = [...randomText(seed, count, 32)]
    .map((letter) => (letter.charCodeAt(0) % 16).toString(16))
    .join('')
  const groups = [digits.slice(0, 8), digits.slice(8, 12), `4${digits.slice(13, 16)}`]
  return [...groups, `8${digits.slice(17, 20)}`, digits.slice(20)].join('-')
}
