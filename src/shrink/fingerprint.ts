/** A number for a text that hardly any other has, to know it again without keeping it. */
export function fingerprint(text: string): number {
  let [one, two] = [0x811c9dc5, 0x9e3779b9]
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    one = Math.imul(one ^ code, 0x01000193)
    two = Math.imul(two ^ code, 0x85ebca6b) ^ (two >>> 13)
  }
  return (one >>> 0) * 2 ** 21 + ((two >>> 0) & 0x1fffff)
}
