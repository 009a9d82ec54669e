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

/** Removes the field that holds a key from a body. Returns undefined if the body contains one that cannot be removed. */
export function removeKey(body: Uint8Array, contentType: string): Uint8Array | undefined {
  const text = Buffer.from(body).toString()
  if (!text.includes(keyFieldName)) return body
  if (/urlencoded/i.test(contentType)) return Buffer.from(removePairs(text))
  try {
    const json = JSON.parse(text, (name, value) => (isKeyFieldName(name) ? undefined : value))
    return Buffer.from(JSON.stringify(json))
  } catch {
    return undefined
  }
}

function removePairs(query: string): string {
  const hasKey = (pair: string) => [...new URLSearchParams(pair).keys()].some(isKeyFieldName)
  const pairs = query.split('&')
  return pairs.filter((pair) => !hasKey(pair)).join('&')
}
