import { isKeyFieldName, keyFieldName } from '../utils/redaction/secrets.ts'

/** Whether the API would look for a key in a body of this type. */
export function mayHoldKey(contentType: string): boolean {
  return /json|form|\*\/\*/i.test(contentType)
}

/** Removes the parameters that hold a key. The others stay as they were sent. */
export function removeKeyFromQuery(path: string): string {
  const start = path.indexOf('?')
  if (start < 0) return path
  const query = removePairs(path.slice(start + 1))
  return path.slice(0, start) + (query === '' ? '' : `?${query}`)
}

/**
 * Removes the fields that hold a key from a body. All other bytes stay as they were sent: writing parsed JSON again would
 * change numbers. Returns undefined if the body contains a key that cannot be removed.
 */
export function removeKey(body: Uint8Array, contentType: string): Uint8Array | undefined {
  // One character for each byte.
  const text = Buffer.from(body).toString('latin1')
  if (/urlencoded/i.test(contentType)) return Buffer.from(removePairs(text), 'latin1')
  if (!containsKeyName(text)) return body
  try {
    JSON.parse(text)
    const rest = removeMembers(text)
    JSON.parse(rest, (name) => {
      if (isKeyFieldName(name)) throw new Error(name)
    })
    return Buffer.from(rest, 'latin1')
  } catch {
    return undefined
  }
}

/** Whether a text contains the name of the field, also with escapes of JSON or a multipart header, or as UTF-16. */
function containsKeyName(text: string): boolean {
  const decoded = text
    .replaceAll('\0', '')
    .replace(/(?:\\u00|%)([\da-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  return decoded.toLowerCase().includes(keyFieldName)
}

/** Cuts the members with simple values out of valid JSON, then the commas that this leaves before a brace. */
function removeMembers(json: string): string {
  const string = String.raw`"[^"\\]*(?:\\.[^"\\]*)*"`
  const member = new RegExp(`(${string})(\\s*:\\s*(?:${string}|[^\\s,{}[\\]"]+)\\s*,?)?`, 'g')
  return json
    .replace(member, (all, name, value) => (value && isKeyFieldName(JSON.parse(name)) ? '' : all))
    .replace(new RegExp(`${string}|,\\s*(?=\\})`, 'g'), (token) =>
      token.startsWith(',') ? '' : token,
    )
}

function removePairs(query: string): string {
  const hasKey = (pair: string) => [...new URLSearchParams(pair).keys()].some(isKeyFieldName)
  const pairs = query.split('&')
  return pairs.filter((pair) => !hasKey(pair)).join('&')
}
