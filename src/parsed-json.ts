/** JSON as a value; undefined for what is none. @example parsedJson('[1]') // { value: [1] } */
export function tryParseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}
