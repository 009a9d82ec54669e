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
import { escapeBraces } from './step-address.ts'

/** The facts that generalizing a response needs. */
export interface ResponseContext extends ValueContext {
  readonly registry: IdRegistry
  /** The index of the step */
  readonly step: number
  /** Whether the value behind an alias first occurred in a response */
  readonly isFromResponse: (alias: string) => boolean
  /** Whether the client sent the value behind an alias, so that this field of the response may repeat it */
  readonly isSentByClient: (alias: string, field: string) => boolean
}

/** Called with each value of a body, and with its id if `identifyValue` finds one. */
type OnValue = (leaf: Leaf, id: ValueId | null, context: ResponseContext) => void

/**
 * Generalizes an expected response: values that differ in each run become matchers or saved values.
 *
 * @param onValue called with each value of the body
 */
export function generalizeResponse(
  expect: ExpectedResponse,
  context: ResponseContext,
  onValue?: OnValue,
): ExpectedResponse {
  const { headers, exact_body, text } = expect
  const generalized: Writable<ExpectedResponse> = { ...expect }
  if (headers) {
    generalized.headers = mapLeaves(
      headers,
      (leaf) => generalizeLink(leaf, context) ?? leaf,
    ) as NonNullable<ExpectedResponse['headers']>
  }
  if ('exact_body' in expect) {
    generalized.exact_body = mapLeaves(exact_body, (leaf, location) => {
      const id = identifyValue(leaf, location, context)
      onValue?.(leaf, id, context)
      return generalizeLeaf(leaf, location, id, context)
    })
  }
  // A text is compared byte for byte. With an alias in it, no response could be equal.
  if (text !== undefined && isUnrepeatable(text, context)) delete generalized.text
  return generalized
}

/** Whether a text contains an alias of a value that only the recorded service knows. */
export function isUnrepeatable(
  expected: NonNullable<ExpectedResponse['text']>,
  { isFromResponse }: Pick<ResponseContext, 'isFromResponse'>,
): boolean {
  const text = typeof expected === 'string' ? expected : expected.$text
  return text.includes('replaced-') && (text.match(aliasPattern) ?? []).some(isFromResponse)
}

function generalizeLeaf(
  leaf: Leaf,
  location: ValueLocation,
  id: ValueId | null,
  context: ResponseContext,
): unknown {
  const { registry, step } = context
  const name = id && registry.nameAt(id.key, step)
  if (name) return { $saved: name }
  if (typeof leaf === 'number') {
    return id && !registry.isSentBy(id.key, step) ? { $match: 'id' } : leaf
  }
  if (isTime(leaf)) return registry.isTimeSentBy(leaf, step) ? leaf : { $match: 'time' }
  if (isAlias(leaf) && !context.isSentByClient(leaf, location.field)) return { $match: 'text' }
  if (isUnrepeatable(leaf, context)) return toPattern(leaf, context)
  const link = generalizeLink(leaf, context)
  if (link !== null) return link
  if (!id || isAlias(leaf) || registry.isSentBy(id.key, step)) return leaf
  return { $match: isUuid(leaf) ? 'uuid' : 'text' }
}

/** Returns null if the text does not contain the base URL. */
function generalizeLink(
  leaf: Leaf,
  { baseUrl, registry, step }: ResponseContext,
): { $text: string } | null {
  if (typeof leaf !== 'string' || !leaf.includes(baseUrl)) return null
  const [before = '', ...targets] = leaf.split(`${baseUrl}/`)
  if (targets.length === 0) return null
  const resolve = (key: string): string | null => registry.nameAt(key, step)
  const links = targets.map(
    (target) => `{base_url}${generalizePath(`/${escapeBraces(target)}`, resolve)}`,
  )
  return { $text: escapeBraces(before) + links.join('') }
}

const aliasSplitter = new RegExp(`(${aliasPattern.source})`)

function toPattern(text: string, { isFromResponse, baseUrl }: ResponseContext): unknown {
  const parts = text.split(aliasSplitter)
  if (parts.filter((part) => part !== '').length === 1) return { $match: 'text' }
  const pattern = parts
    .map((part) =>
      isAlias(part) && isFromResponse(part) ? '.+' : anyBaseUrlPattern(part, baseUrl),
    )
    .join('')
  return { $pattern: `^${pattern}$` }
}

function anyBaseUrlPattern(text: string, baseUrl: string): string {
  return text.split(`${baseUrl}/`).map(escapePattern).join(String.raw`https?:\/\/.+\/`)
}

function escapePattern(text: string): string {
  return escapeRegExp(text).replaceAll('\n', '\\n')
}
