import type { SentMessage } from '../recordings/exchange.ts'

/** The keys of the world that was asked. */
export interface KnownKeys {
  /** The label of the key with a value; null for a key that no label tells from others, undefined for no key */
  label(value: string): string | null | undefined
}

/** What stands in place of a key that nobody knows. */
const nobodys = 'phx_unknown'

/** How a step says which key it was sent with: by its label, or by a header; neither where there was none. */
export function sentKey(
  headers: SentMessage['headers'],
  keys: KnownKeys,
): { readonly as?: string; readonly authorization?: string } {
  const header = headers.find(([name]) => name.toLowerCase() === 'authorization')?.[1]
  if (header === undefined) return {}
  const [, scheme = '', value = ''] = /^(\S+\s+)?(.*)$/s.exec(header) ?? []
  const label = keys.label(value)
  if (label === undefined) return { authorization: `${scheme}${value === '' ? '' : nobodys}` }
  return label === null || scheme !== 'Bearer ' ? { authorization: header } : { as: label }
}

/** Where a key may stand in a query, in a form, and in JSON. */
const places = [/(\bpersonal_api_key=)([^&\s"]+)/g, /("personal_api_key"\s*:\s*")([^"]+)/g]

/** A text in which no key stands but those that are known. */
export function withoutUnknownKeys(text: string, keys: KnownKeys): string {
  return places.reduce(
    (clean, place) =>
      clean.replace(place, (all, before: string, value: string) =>
        keys.label(value) === undefined ? `${before}${nobodys}` : all,
      ),
    text,
  )
}
