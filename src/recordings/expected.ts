import { escapeRegExp } from '../escape-reg-exp.ts'
import type { Expected } from '../scenarios/scenario.ts'
import type { Writable } from '../writable.ts'
import { plain } from './address.ts'
import { aliasPattern, isAlias } from './aliases.ts'
import { type Leaf, mapLeaves, type Spot } from './json.ts'
import { isUuid } from './kinds.ts'
import type { Origins, Track } from './origins.ts'
import { isTime } from './times.ts'
import { namedPlace, type Surroundings, trackOf } from './tracks.ts'

type Headers = NonNullable<Expected['headers']>

/** What is known where an answer is generalised. */
export interface Hearing extends Surroundings {
  readonly origins: Origins
  /** The position of the step */
  readonly step: number
  /** Whether what an alias stands for is only known from an answer */
  readonly isHeard: (alias: string) => boolean
  /** Whether the client sent what a field of an answer holds, an alias: then the answer may be its echo */
  readonly isSent: (alias: string, field: string) => boolean
}

/** Told of a value of an answer, and of what trackOf says of it. */
type Learn = (leaf: Leaf, track: Track | null, hearing: Hearing) => void

/**
 * What is expected of an answer, with matchers in place of what is another one each time.
 *
 * @param learn told of each value of a body
 */
export function generalExpectation(expect: Expected, hearing: Hearing, learn?: Learn): Expected {
  const { headers, exact_body, text } = expect
  const told: Writable<Expected> = { ...expect }
  if (headers) {
    told.headers = mapLeaves(headers, (leaf) => link(leaf, hearing) ?? leaf) as Headers
  }
  if ('exact_body' in expect) {
    told.exact_body = mapLeaves(exact_body, (leaf, spot) => {
      const track = trackOf(leaf, spot, hearing)
      learn?.(leaf, track, hearing)
      return general(leaf, spot, track, hearing)
    })
  }
  // A text is compared sign by sign: with something replaced in it there would be no other like it.
  if (text !== undefined && holdsHeard(text, hearing)) delete told.text
  return told
}

/** Whether a text cannot be expected again. */
export function holdsHeard(
  given: NonNullable<Expected['text']>,
  { isHeard }: Pick<Hearing, 'isHeard'>,
): boolean {
  const text = typeof given === 'string' ? given : given.$text
  return text.includes('replaced-') && (text.match(aliasPattern) ?? []).some(isHeard)
}

function general(leaf: Leaf, spot: Spot, track: Track | null, hearing: Hearing): unknown {
  const { origins, step } = hearing
  const name = track && origins.nameAt(track.key, step)
  if (name) return { $saved: name }
  if (typeof leaf === 'number') {
    return track && !origins.isSentBy(track.key, step) ? { $match: 'id' } : leaf
  }
  if (isTime(leaf)) return origins.isTimeSentBy(leaf, step) ? leaf : { $match: 'time' }
  if (isAlias(leaf) && !hearing.isSent(leaf, spot.field)) return { $match: 'text' }
  if (holdsHeard(leaf, hearing)) return withoutHeard(leaf, hearing)
  const address = link(leaf, hearing)
  if (address !== null) return address
  if (!track || isAlias(leaf) || origins.isSentBy(track.key, step)) return leaf
  return { $match: isUuid(leaf) ? 'uuid' : 'text' }
}

/** A text in which the base URL stands: another target has another one. */
function link(leaf: Leaf, { baseUrl, origins, step }: Hearing): { $text: string } | null {
  if (typeof leaf !== 'string' || !leaf.includes(baseUrl)) return null
  const [before = '', ...rest] = leaf.split(`${baseUrl}/`)
  if (rest.length === 0) return null
  const resolve = (key: string): string | null => origins.nameAt(key, step)
  const places = rest.map((place) => `{base_url}${namedPlace(`/${plain(place)}`, resolve)}`)
  return { $text: plain(before) + places.join('') }
}

const parts = new RegExp(`(${aliasPattern.source})`)

function withoutHeard(text: string, { isHeard, baseUrl }: Hearing): unknown {
  const words = text.split(parts)
  if (words.filter((word) => word !== '').length === 1) return { $match: 'text' }
  const pattern = words
    .map((word) => (isAlias(word) && isHeard(word) ? '.+' : elsewhere(word, baseUrl)))
    .join('')
  return { $pattern: `^${pattern}$` }
}

/** The pattern of a text, whatever the base URL of the target is. */
function elsewhere(text: string, baseUrl: string): string {
  return text.split(`${baseUrl}/`).map(escaped).join(String.raw`https?:\/\/.+\/`)
}

function escaped(text: string): string {
  return escapeRegExp(text).replaceAll('\n', '\\n')
}
