import type { Aliases } from './aliases.ts'
import { personalBy } from './personal.ts'

/** An address without what is hidden: any sign of it may be encoded. */
export function disguisedAddress(url: string, aliases: Aliases): string {
  const [, origin = '', path = '', query] = parts.exec(url) ?? []
  const segments = path.split('/').map((segment) => {
    const meant = decoded(segment)
    const shown = aliases.text(meant)
    return shown === meant ? segment : encodeURIComponent(shown)
  })
  const search = query === undefined ? '' : `?${disguisedForm(query, aliases)}`
  return origin.replace(/\/\/[^/@]*@/, '//') + segments.join('/') + search
}

/** A query or a form without what is hidden. */
export function disguisedForm(text: string, aliases: Aliases): string {
  const pairs = text.split('&').map((pair) => {
    const [[name = '', value = ''] = []] = new URLSearchParams(pair)
    const kind = personalBy(name)
    const shown = kind ? aliases.of(kind, value) : aliases.text(value)
    const shownName = aliases.text(name)
    if (shown === value && shownName === name) return pair
    return `${encodeURIComponent(shownName)}=${encodeURIComponent(shown)}`
  })
  return pairs.join('&')
}

/** The origin, the path, and the query of an address; its fragment is never sent. */
const parts = /^([a-z][\w+.-]*:\/\/[^/?#]*)?([^?#]*)(?:\?([^#]*))?/i

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
