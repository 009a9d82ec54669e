/** So many parts are joined to one. */
const joinedParts = 1_000

/** Bytes that arrive in parts. The sender can choose parts of one byte, each of which takes some hundred beside it. */
export class ByteParts {
  /** Of all parts together, in bytes */
  length = 0
  readonly #parts: Uint8Array[] = []
  /** How many of the latest parts are not joined yet */
  #latest = 0

  add(part: Uint8Array): void {
    this.length += part.length
    this.#parts.push(part)
    this.#latest += 1
    if (this.#latest < joinedParts) return
    this.#parts.push(joinBytes(this.#parts.splice(-joinedParts)))
    this.#latest = 0
  }

  /** All bytes, which it no longer keeps. A single part is no copy. */
  take(): Uint8Array {
    const parts = this.#parts.splice(0)
    return parts.length === 1 ? (parts[0] as Uint8Array) : joinBytes(parts)
  }
}

/** @note Not by `Blob`: the one of jsdom cannot be read. */
function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let end = 0
  for (const part of parts) {
    bytes.set(part, end)
    end += part.length
  }
  return bytes
}
