import { escapeRegExp } from '../../utils/escape.ts'
import type { Writable } from '../../utils/writable.ts'
import type { ExpectedResponse } from '../format/scenario.ts'
import { aliasPattern, isAlias } from './aliases.ts'
import type { IdRegistry, ValueId } from './id-registry.ts'
import {
  generalizePath,
  identifyValue,
  isTime,
  isUuid,
  type Leaf,
  mapLeaves,
  type ValueContext,
  type ValueLocation,
} from './identify-values.ts'
import { escapeBraces } from './request-parts.ts'

type Headers = NonNullable<ExpectedResponse['headers']>

/** What is known where an answer is generalised. */
export interface ResponseContext extends ValueContext {
  readonly origins: IdRegistry
  /** The position of the step */
  readonly step: number
  /** Whether what an alias stands for is only known from an answer */
  readonly isHeard: (alias: string) => boolean
  /** Whether the client sent what a field of an answer holds, an alias: then the answer may be its echo */
  readonly isSent: (alias: string, field: string) => boolean
}

/** Told of a value of an answer, and of what trackOf says of it. */
type OnValue = (leaf: Leaf, track: ValueId | null, hearing: ResponseContext) => void

/**
 * What is expected of an answer, with matchers in place of what is another one each time.
 *
 * @param learn told of each value of a body
 */
export function generalizeResponse(
  expect: ExpectedResponse,
  hearing: ResponseContext,
  learn?: OnValue,
): ExpectedResponse {
  const { headers, exact_body, text } = expect
  const told: Writable<ExpectedResponse> = { ...expect }
  if (headers) {
    told.headers = mapLeaves(headers, (leaf) => generalizeLink(leaf, hearing) ?? leaf) as Headers
  }
  if ('exact_body' in expect) {
    told.exact_body = mapLeaves(exact_body, (leaf, spot) => {
      const track = identifyValue(leaf, spot, hearing)
      learn?.(leaf, track, hearing)
      return generalizeLeaf(leaf, spot, track, hearing)
    })
  }
  // A text is compared sign by sign: with something replaced in it there would be no other like it.
  if (text !== undefined && isUnrepeatable(text, hearing)) delete told.text
  return told
}

/** Whether a text cannot be expected again. */
export function isUnrepeatable(
  given: NonNullable<ExpectedResponse['text']>,
  { isHeard }: Pick<ResponseContext, 'isHeard'>,
): boolean {
  const text = typeof given === 'string' ? given : given.$text
  return text.includes('replaced-') && (text.match(aliasPattern) ?? []).some(isHeard)
}

function generalizeLeaf(
  leaf: Leaf,
  spot: ValueLocation,
  track: ValueId | null,
  hearing: ResponseContext,
): unknown {
  const { origins, step } = hearing
  const name = track && origins.nameAt(track.key, step)
  if (name) return { $saved: name }
  if (typeof leaf === 'number') {
    return track && !origins.isSentBy(track.key, step) ? { $match: 'id' } : leaf
  }
  if (isTime(leaf)) return origins.isTimeSentBy(leaf, step) ? leaf : { $match: 'time' }
  if (isAlias(leaf) && !hearing.isSent(leaf, spot.field)) return { $match: 'text' }
  if (isUnrepeatable(leaf, hearing)) return toPattern(leaf, hearing)
  const address = generalizeLink(leaf, hearing)
  if (address !== null) return address
  if (!track || isAlias(leaf) || origins.isSentBy(track.key, step)) return leaf
  return { $match: isUuid(leaf) ? 'uuid' : 'text' }
}

/** A text in which the base URL stands: another target has another one. */
function generalizeLink(
  leaf: Leaf,
  { baseUrl, origins, step }: ResponseContext,
): { $text: string } | null {
  if (typeof leaf !== 'string' || !leaf.includes(baseUrl)) return null
  const [before = '', ...rest] = leaf.split(`${baseUrl}/`)
  if (rest.length === 0) return null
  const resolve = (key: string): string | null => origins.nameAt(key, step)
  const places = rest.map(
    (place) => `{base_url}${generalizePath(`/${escapeBraces(place)}`, resolve)}`,
  )
  return { $text: escapeBraces(before) + places.join('') }
}

const aliasSplitter = new RegExp(`(${aliasPattern.source})`)

function toPattern(text: string, { isHeard, baseUrl }: ResponseContext): unknown {
  const words = text.split(aliasSplitter)
  if (words.filter((word) => word !== '').length === 1) return { $match: 'text' }
  const pattern = words
    .map((word) => (isAlias(word) && isHeard(word) ? '.+' : anyBaseUrlPattern(word, baseUrl)))
    .join('')
  return { $pattern: `^${pattern}$` }
}

/** The pattern of a text, whatever the base URL of the target is. */
function anyBaseUrlPattern(text: string, baseUrl: string): string {
  return text.split(`${baseUrl}/`).map(escapePattern).join(String.raw`https?:\/\/.+\/`)
}

function escapePattern(text: string): string {
  return escapeRegExp(text).replaceAll('\n', '\\n')
}
