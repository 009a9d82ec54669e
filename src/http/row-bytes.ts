import { JsonText, utf8Length } from '../utils/json.ts'
import type { Run } from '../world/sorted-list.ts'

/** The JSON of a page. The bytes of its rows belong to other pages, too: who sends them must not change them. */
export class PageText extends JsonText<unknown> {
  /** The whole text in parts, of which the first and the last one are no rows */
  readonly parts: readonly (string | Uint8Array)[]

  /** @param rows each with a comma after it @param rewrite writes the whole text again */
  constructor(start: string, rows: readonly Uint8Array[], end: string, rewrite: () => string) {
    const last = rows.at(-1)?.subarray(0, -1) as Uint8Array
    const parts = [...rows.slice(0, -1), last]
    const length = parts.reduce((sum, part) => sum + part.length, utf8Length(start + end))
    super(rewrite, undefined, length, rewrite)
    this.parts = [start, ...parts, end]
  }

  override get text(): string {
    return new TextDecoder().decode(this.join())
  }

  /** The bytes of the text, which belong to nothing else. */
  join(): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(this.bytes)
    let end = 0
    for (const part of this.parts) {
      if (typeof part === 'string') end += encoder.encodeInto(part, bytes.subarray(end)).written
      else {
        bytes.set(part, end)
        end += part.length
      }
    }
    return bytes
  }
}

const encoder = new TextEncoder()

/** The bytes of the rows of a chunk, a comma after each. */
interface ChunkBytes {
  readonly rows: readonly unknown[]
  /** What they were written with */
  readonly versions: readonly unknown[]
  readonly bytes: Uint8Array
  /** Where each row begins, and where the last one ends */
  readonly starts: Uint32Array
}

/** The rows of 100,000 usual annotations fit into it, in bytes. */
const maxKept = 64 * 1024 * 1024

/** Lists of former worlds can take all the room. After so many reads that found none, it belongs to others. */
const maxRefused = 2_000

/**
 * The bytes of the chunks of lists that pages have read. A place has those of its latest chunk. After a write, only the
 * written row is written again.
 */
export class RowBytes {
  #kept = new WeakMap<object, ChunkBytes>()
  #bytes = 0
  #refused = 0

  /**
   * The bytes of runs of rows, a comma after each.
   *
   * @param versions what the texts of rows depend on beside them
   * @param write writes a row as JSON
   */
  partsOf<Row>(
    runs: readonly Run<Row>[],
    versions: readonly unknown[],
    write: (row: Row) => string,
  ): Uint8Array[] {
    return runs.map(({ chunk, from, to }) => {
      const { rows, place } = chunk
      const kept = place && this.#kept.get(place)
      if (!place || !(kept || this.#hasRoom()))
        return encodeRows({ rows: rows.slice(from, to), versions }, write).bytes
      const isCurrent = kept?.versions.every((version, index) => version === versions[index])
      const known = isCurrent ? kept : undefined
      const encoded = known?.rows === rows ? known : encodeRows({ rows, versions }, write, known)
      if (encoded !== kept) {
        this.#kept.set(place, encoded)
        this.#bytes += encoded.bytes.length - (kept?.bytes.length ?? 0)
      }
      return encoded.bytes.subarray(encoded.starts[from], encoded.starts[to])
    })
  }

  #hasRoom(): boolean {
    if (this.#bytes < maxKept) return true
    this.#refused += 1
    if (this.#refused < maxRefused) return false
    this.#kept = new WeakMap()
    this.#bytes = 0
    this.#refused = 0
    return true
  }
}

/** @param known rows that are written already, in the same order */
function encodeRows<Row>(
  { rows, versions }: Pick<ChunkBytes, 'versions'> & { readonly rows: readonly Row[] },
  write: (row: Row) => string,
  known: Pick<ChunkBytes, 'rows' | 'bytes' | 'starts'> = nothing,
): ChunkBytes {
  const starts = new Uint32Array(rows.length + 1)
  /** The index of each row in the known ones, or its text */
  const sources: (number | string)[] = []
  let next = 0
  rows.forEach((row, index) => {
    const at = known.rows.indexOf(row, next)
    const source = at < 0 ? `${write(row)},` : at
    sources.push(source)
    if (typeof source === 'number') next = source + 1
    const length =
      typeof source === 'string'
        ? utf8Length(source)
        : startOf(known, next) - startOf(known, source)
    starts[index + 1] = startOf({ starts }, index) + length
  })
  const bytes = new Uint8Array(startOf({ starts }, rows.length))
  for (let from = 0, to = 0; from < rows.length; from = to) {
    const source = sources[from] as number | string
    to = from + 1
    const target = bytes.subarray(starts[from])
    if (typeof source === 'string') {
      while (typeof sources[to] === 'string') to++
      encoder.encodeInto(sources.slice(from, to).join(''), target)
    } else {
      while (sources[to] === source + to - from) to++
      target.set(known.bytes.subarray(known.starts[source], known.starts[source + to - from]))
    }
  }
  return { rows, versions, bytes, starts }
}

const nothing = { rows: [], bytes: new Uint8Array(), starts: new Uint32Array(1) }

function startOf({ starts }: Pick<ChunkBytes, 'starts'>, index: number): number {
  return starts[index] as number
}
