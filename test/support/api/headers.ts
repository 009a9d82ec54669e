/** The header of a request with a key: by default the key with full access. */
export function authorization(key = 'phx_all'): { authorization: string } {
  return { authorization: `Bearer ${key}` }
}

/** The headers of a request with a key and a JSON body. */
export function jsonHeaders(key = 'phx_all'): { authorization: string; 'content-type': string } {
  return { ...authorization(key), 'content-type': 'application/json' }
}
