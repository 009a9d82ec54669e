import { JsonText, utf8Length } from '../utils/json.ts'
import type { Chunk, Run } from '../world/sorted-list.ts'

/** The JSON of a page. The bytes of its rows belong to other pages, too: who sends them must not change them. */
export class PageText extends JsonText<unknown> {
  /** The whole text in parts, of which the first and the last one are no rows */
  readonly parts: readonly (string | Uint8Array)[]
  readonly #rewrite: () => string

  /** @param rows each with a comma after it @param rewrite writes the whole text again */
  constructor(start: string, rows: readonly Uint8Array[], end: string, rewrite: () => string) {
    const last = rows.at(-1)?.subarray(0, -1) as Uint8Array
    const parts = [...rows.slice(0, -1), last]
    const length = parts.reduce((sum, part) => sum + part.length, utf8Length(start + end))
    super(rewrite, undefined, length)
    this.#rewrite = rewrite
    this.parts = [start, ...parts, end]
  }

  override get text(): string {
    const decoder = new TextDecoder()
    return this.parts
      .map((part) => (typeof part === 'string' ? part : decoder.decode(part)))
      .join('')
  }

  /** Does not keep the bytes: the rows are in the world. */
  override get compact(): JsonText<unknown> {
    return new JsonText(this.#rewrite, undefined, this.bytes)
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

/** In bytes: 100,000 rows of a usual length. */
const maxKept = 32 * 1024 * 1024

/**
 * The bytes of the chunks of lists that pages have read. A place has those of its latest chunk. After a write, only the
 * written row is written again.
 */
export class RowBytes {
  #kept = new WeakMap<object, ChunkBytes>()
  #bytes = 0

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
      if (!chunk.place)
        return encodeRows({ rows: chunk.rows.slice(from, to), versions }, write).bytes
      const { bytes, starts } = this.#encode(chunk.place, chunk, versions, write)
      return bytes.subarray(starts[from], starts[to])
    })
  }

  #encode<Row>(
    place: object,
    { rows }: Chunk<Row>,
    versions: readonly unknown[],
    write: (row: Row) => string,
  ): ChunkBytes {
    const kept = this.#kept.get(place)
    const isCurrent = kept?.versions.every((version, index) => version === versions[index])
    const known = isCurrent ? kept : undefined
    if (known?.rows === rows) return known
    const encoded = encodeRows({ rows, versions }, write, known)
    this.#bytes += encoded.bytes.length - (kept?.bytes.length ?? 0)
    if (this.#bytes > maxKept) {
      this.#kept = new WeakMap()
      this.#bytes = encoded.bytes.length
    }
    this.#kept.set(place, encoded)
    return encoded
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
