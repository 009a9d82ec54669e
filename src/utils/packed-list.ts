/** Compresses JSON values that are read rarely. */
export interface Packing {
  pack(values: readonly unknown[]): unknown
  unpack(packed: unknown): readonly unknown[]
}

/** How many values are packed together. */
const blockSize = 16

/** A list whose values are packed in blocks. Values are read fastest in their order. They must not be changed. */
export class PackedList<T> {
  readonly #packing: Packing | undefined
  readonly #blocks: unknown[] = []
  /** The values that are not packed yet. */
  #open: T[] = []
  #unpacked: { readonly block: number; readonly values: readonly T[] } | null = null

  /** @param packing by default, values stay as they are */
  constructor(packing?: Packing) {
    this.#packing = packing
  }

  get length(): number {
    return this.#blocks.length * blockSize + this.#open.length
  }

  push(value: T): void {
    this.#open.push(value)
    if (!this.#packing || this.#open.length < blockSize) return
    this.#blocks.push(this.#packing.pack(this.#open))
    this.#open = []
  }

  /** The value at an index below the length. */
  at(index: number): T {
    const block = Math.floor(index / blockSize)
    if (block >= this.#blocks.length) {
      return this.#open[index - this.#blocks.length * blockSize] as T
    }
    if (this.#packing && this.#unpacked?.block !== block) {
      this.#unpacked = { block, values: this.#packing.unpack(this.#blocks[block]) as T[] }
    }
    return this.#unpacked?.values[index % blockSize] as T
  }
}
