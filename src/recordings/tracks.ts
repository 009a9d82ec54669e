import { isBelowBaseUrl } from './address.ts'
import { aliasPattern, isAlias } from './aliases.ts'
import type { Leaf, ValueLocation } from './json.ts'
import { isUuid, kindOfField, kindOfSegment, type ResponseKinds, singular } from './kinds.ts'
import type { IdRegistry, ValueId } from './origins.ts'

/** What the values of a body may be: the path that was asked says what its objects are. */
export interface ValueContext {
  readonly kinds: ResponseKinds
  readonly baseUrl: string
  readonly origins: Pick<IdRegistry, 'isKnown'>
}

const idPattern = new RegExp(
  `${aliasPattern.source}|\\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\\b`,
  'gi',
)

/** A value of a body that may come back in a later request; null for one that is only itself. */
export function identifyValue(
  leaf: Leaf,
  spot: ValueLocation,
  { kinds, baseUrl }: Pick<ValueContext, 'kinds' | 'baseUrl'>,
): ValueId | null {
  const { field, within } = spot
  if (typeof leaf === 'string') {
    if (isBelowBaseUrl(leaf, baseUrl)) {
      return { key: linkKey(leaf.slice(baseUrl.length)), name: field || 'link' }
    }
    if (isAlias(leaf)) {
      return { key: textKey(leaf), name: field || 'text' }
    }
  } else if (!Number.isInteger(leaf) || leaf <= 0) {
    return null
  }
  const kind = kindOfField(field, within)
  const isId = typeof leaf === 'string' && isUuid(leaf)
  if ((kind === undefined && !isId) || leaf === '') return null
  const called =
    kind ?? (kind === undefined ? singular(field || kinds.kind) : kindOfWhole(leaf, kinds))
  return { key: isId ? textKey(leaf) : `${called} ${leaf}`, name: `${called}_id` }
}

function kindOfWhole(leaf: Leaf, { kind, subject }: ResponseKinds): string {
  return subject?.id === String(leaf) ? subject.kind : kind
}

/** Gives names for keys; null for what has none. */
export type ResolveName = (key: string) => string | null

/** A path and a query with names in place of what is saved. */
export function generalizePath(place: string, resolve: ResolveName): string {
  const [path = '', ...query] = place.split('?')
  const segments = path.split('/')
  const words = segments.filter(Boolean)
  let index = -1
  const named = segments.map((segment) => {
    if (segment === '') return segment
    index += 1
    const kind = kindOfSegment(words, index)
    if (kind === null || isUuid(segment)) return generalizeText(segment, resolve)
    const name = resolve(`${kind} ${segment}`)
    return name === null ? segment : `{${name}}`
  })
  return [named.join('/'), ...query.map((text) => generalizeText(text, resolve))].join('?')
}

/** A text with names in place of the ids and replacements in it that are saved. */
export function generalizeText(text: string, resolve: ResolveName): string {
  return text.replace(idPattern, (found) => {
    const name = resolve(textKey(found))
    return name === null ? found : `{${name}}`
  })
}

/** What a link is told apart by. */
export function linkKey(relative: string): string {
  return `link ${relative}`
}

/** What a text is told apart by that is never two things. */
export function textKey(text: string): string {
  return `text ${text.toLowerCase()}`
}
