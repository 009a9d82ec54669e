import { escapeRegExp } from '../../utils/escape.ts'
import { mapValues } from '../../utils/json.ts'
import type { Writable } from '../../utils/writable.ts'
import type { ExpectedResponse } from '../format/scenario.ts'
import { type Aliases, aliasPattern, isAlias } from './aliases.ts'
import type { IdRegistry, ValueId, ValueOrigin } from './id-registry.ts'
import {
  generalizePath,
  identifyValue,
  isTime,
  isUuid,
  type Leaf,
  mapLeaves,
  toPointer,
  type ValueContext,
} from './identify-values.ts'
import { escapeBraces, isBelowBaseUrl } from './step-address.ts'

/** Where the values behind aliases come from. */
export type AliasOrigins = Pick<Aliases, 'isFromResponse' | 'isSentByClient'>

export interface ResponseContext extends ValueContext {
  readonly registry: IdRegistry
  readonly step: number
  readonly aliases: AliasOrigins
}

/** Replaces the values of an expected response that differ in each run by matchers and saved values. */
export function generalizeResponse(
  expect: ExpectedResponse,
  context: ResponseContext,
  onValue?: (leaf: Leaf, id: ValueId | null, context: ResponseContext) => void,
): Writable<ExpectedResponse> {
  const { headers, exact_body, text } = expect
  const generalized: Writable<ExpectedResponse> = { ...expect }
  if (headers) {
    generalized.headers = mapValues(headers, (value) => generalizeLink(value, context) ?? value)
  }
  if ('exact_body' in expect) {
    generalized.exact_body = mapLeaves(exact_body, (leaf, location) => {
      const id = identifyValue(leaf, location, context)
      onValue?.(leaf, id, context)
      return generalizeLeaf(leaf, location, id, context)
    })
  }
  // A text is compared byte for byte. With an alias in it, no response could be equal.
  if (text !== undefined && isUnrepeatable(text, context.aliases)) delete generalized.text
  return generalized
}

/** Whether a text contains an alias of a value that only the recorded service knows. */
export function isUnrepeatable(
  expected: NonNullable<ExpectedResponse['text']>,
  aliases: AliasOrigins,
): boolean {
  const text = typeof expected === 'string' ? expected : expected.$text
  if (!text.includes('replaced-')) return false
  return (text.match(aliasPattern) ?? []).some((alias) => aliases.isFromResponse(alias))
}

function generalizeLeaf(
  leaf: Leaf,
  { field }: { readonly field: string },
  id: ValueId | null,
  context: ResponseContext,
): unknown {
  const { registry, step, aliases } = context
  const name = id && registry.nameAt(id.key, step)
  if (name) return { $saved: name }
  if (typeof leaf === 'number') {
    return id && !registry.isSentBy(id.key, step) ? { $match: 'id' } : leaf
  }
  if (isTime(leaf)) return registry.isTimeSentBy(leaf, step) ? leaf : { $match: 'time' }
  if (isAlias(leaf) && !aliases.isSentByClient(leaf, field)) return { $match: 'text' }
  if (isUnrepeatable(leaf, aliases)) return toPattern(leaf, context)
  const link = generalizeLink(leaf, context)
  if (link !== null) return link
  if (!id || isAlias(leaf) || registry.isSentBy(id.key, step)) return leaf
  return { $match: isUuid(leaf) ? 'uuid' : 'text' }
}

function generalizeLink(
  leaf: unknown,
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

/** Replaces hidden values of a response by matchers. */
export function openAliases(value: unknown, aliases: AliasOrigins, baseUrl: string): unknown {
  return mapLeaves(value, (leaf) => {
    if (typeof leaf !== 'string') return leaf
    if (isAlias(leaf)) return { $match: 'text' }
    return isUnrepeatable(leaf, aliases) ? toPattern(leaf, { aliases, baseUrl }) : leaf
  })
}

const aliasSplitter = new RegExp(`(${aliasPattern.source})`)

function toPattern(
  text: string,
  { aliases, baseUrl }: Pick<ResponseContext, 'aliases' | 'baseUrl'>,
): unknown {
  const parts = text.split(aliasSplitter)
  if (parts.filter((part) => part !== '').length === 1) return { $match: 'text' }
  const patterns = parts.map((part) =>
    isAlias(part) && aliases.isFromResponse(part)
      ? '.+'
      : part
          .split(`${baseUrl}/`)
          .map((text) => escapeRegExp(text).replaceAll('\n', '\\n'))
          .join(String.raw`https?:\/\/.+\/`),
  )
  return { $pattern: `^${patterns.join('')}$` }
}

export function collectIds(body: unknown, context: ResponseContext): void {
  mapLeaves(body, (leaf, location) => {
    collectId(leaf, identifyValue(leaf, location, context), context)
    return leaf
  })
}

export function collectId(leaf: Leaf, id: ValueId | null, context: ResponseContext): void {
  const { registry, baseUrl, step } = context
  if (id && !isFromRequest(leaf, context)) registry.addFromResponse(id.key, step)
  if (typeof leaf !== 'string' || !isBelowBaseUrl(leaf, baseUrl)) return
  generalizePath(leaf.slice(baseUrl.length), (key) => {
    registry.addMention(key, step)
    return null
  })
}

export function findOrigin(body: unknown, key: string, context: ResponseContext): ValueOrigin {
  let origin: ValueOrigin | undefined
  mapLeaves(body, (leaf, location) => {
    const id = origin ? null : identifyValue(leaf, location, context)
    if (id?.key === key && !isFromRequest(leaf, context)) {
      origin = { pointer: toPointer(location), name: id.name, type: typeof leaf }
    }
    return leaf
  })
  if (!origin) throw new Error(`Failed to find ${key}: the response does not contain it.`)
  return origin
}

/** Whether a request introduced the value, so that the response only repeats it. */
function isFromRequest(leaf: Leaf, { aliases }: ResponseContext): boolean {
  return typeof leaf === 'string' && isAlias(leaf) && !aliases.isFromResponse(leaf)
}
