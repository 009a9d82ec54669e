/** What a segment of a path is the id of, by the word before it; null for one that is no id. */
export function kindOfSegment(segments: readonly string[], index: number): string | null {
  const before = segments[index - 1]
  if (before === undefined || !isWord(before) || !isIdText(segments[index] as string)) return null
  return singular(before)
}

/** What the objects of an answer are, by the path that was asked. */
export interface ResponseKinds {
  /** Of `/projects/1/annotations/` annotations, of `/plugins/12/upgrade/` an upgrade */
  readonly kind: string
  /** Of `/plugins/12/upgrade/` what is upgraded: it may be what is answered */
  readonly subject?: { readonly kind: string; readonly id: string }
}

/** What the objects of an answer are. */
export function kindsOfResponse(path: string): ResponseKinds {
  const segments = path.split('?')[0]?.split('/').filter(Boolean) ?? []
  const last = segments.at(-1) ?? ''
  const before = kindOfSegment(segments, segments.length - 2)
  const own = kindOfSegment(segments, segments.length - 1)
  if (own !== null) return { kind: own }
  const kind = isWord(last) ? singular(last) : 'value'
  // Lists are called by their rows, in the plural.
  if (before === null || /^[a-z]+s$/i.test(last)) return { kind }
  return { kind, subject: { kind: before, id: segments.at(-2) as string } }
}

/** What an id is the id of, by its field: itself where that is null. */
export function kindOfField(field: string, within: readonly string[]): string | null | undefined {
  // Most fields are none: they are told apart before anything is matched.
  if (!field.endsWith('id')) return undefined
  if (field === 'id' || field === 'uuid' || field === 'short_id') {
    const around = within.findLast((name) => !wrappers.includes(name))
    return around === undefined ? null : singular(around)
  }
  return /^(\w+)_(?:id|uuid)$/.exec(field)?.[1]
}

/** Fields that hold the rows of a list. */
const wrappers = ['results', 'data', 'items']

/** A UUID. */
export function isUuid(text: string): boolean {
  return text.length === 36 && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
}

function isIdText(text: string): boolean {
  return /^[1-9]\d{0,14}$/.test(text) || isUuid(text) || /^\{\w+\}$/.test(text)
}

function isWord(text: string): boolean {
  return /^[a-z][\w-]*$/i.test(text) && !isUuid(text)
}

/** A word for one of what another word is for many. */
export function singular(word: string): string {
  const name = word.replace(/\W/g, '_')
  if (name.endsWith('ies')) return `${name.slice(0, -3)}y`
  const isMany = name.endsWith('s') && !name.endsWith('ss') && !name.endsWith('us')
  return isMany ? name.slice(0, -1) : name
}
