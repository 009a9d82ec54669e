import { masked } from './masked.ts'

/** Headers that hold a secret. */
const secretHeaders = ['authorization', 'proxy-authorization', 'cookie', 'set-cookie', 'x-api-key']
/** How a header begins that says what its secret is; any other first word may be the secret itself. */
const scheme = /^(?:Basic|Bearer|Digest|DPoP|HOBA|Mutual|Negotiate|OAuth|Token)\s+/i
/** Where a key stands in a text: in JSON by itself and in a list, in a form of many parts, in a query. */
const places = [
  /("personal_api_key"\s*:\s*")([^"]*)/g,
  /("personal_api_key"\s*:\s*\[)([^\]]*)/g,
  /(name="personal_api_key[^"]*"(?:\r?\n[^\r\n]+)*\r?\n\r?\n)([^\r\n]*)/g,
  /(\bpersonal_api_key(?:(?:\[|%5B)[^=&\s]*)?=)([^&\s]*)/gi,
]

/** Whether a key stands by a name, in a query or in a body: `personal_api_key`, `personal_api_key[]`. */
export function isKeyName(name: string): boolean {
  return /^personal_api_key(\[.*)?$/s.test(name)
}

/** A text without what stands where keys do. */
export function withoutKeys(text: string): string {
  return places.reduce((shown, place) => shown.replace(place, hidden), text)
}

/** What may be shown of a header that holds a secret; null for one that holds none. */
export function secretHeader(name: string, value: string): string | null {
  if (!secretHeaders.includes(name.toLowerCase())) return null
  const before = scheme.exec(value)?.[0] ?? ''
  return before + masked(value.slice(before.length))
}

function hidden(_found: string, before: string, key: string): string {
  return before + masked(key)
}
