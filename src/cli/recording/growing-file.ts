import {
  closeSync,
  copyFileSync,
  ftruncateSync,
  linkSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writevSync,
} from 'node:fs'
import process from 'node:process'

/**
 * A list that grows as a file: whoever reads it, at any moment and after any crash, finds all of it. Adding a part
 * costs the same however large it is: of two copies the one that nobody sees is written, then takes the other's place.
 */
export class GrowingFile {
  readonly #file: string
  readonly #fresh: string
  readonly #twins: readonly [FileCopy, FileCopy]
  readonly #head: Buffer
  readonly #tail: Buffer
  readonly #parts: Buffer[] = []
  /** Where each part ends, in bytes */
  readonly #ends: number[] = []
  #written: 0 | 1 = 0

  /**
   * @param head what stands before the parts
   * @param tail what stands after them
   * @throws Error as Node does, for a file that cannot be written; what was there stays until the first part comes
   */
  constructor(file: string, head: string, tail: string) {
    this.#file = resolveLink(file)
    if (isFolder(this.#file)) throw Object.assign(new Error('a folder'), { code: 'EISDIR' })
    this.#fresh = `${this.#file}.${process.pid}.c.tmp`
    this.#head = Buffer.from(head)
    this.#tail = Buffer.from(tail)
    this.#twins = [
      new FileCopy(`${this.#file}.${process.pid}.a.tmp`),
      new FileCopy(`${this.#file}.${process.pid}.b.tmp`),
    ]
  }

  /** How many parts there are. */
  get length(): number {
    return this.#parts.length
  }

  /** Puts parts in their places: those that are new, and those that read otherwise now. */
  put(parts: ReadonlyMap<number, string>): void {
    for (const [index, text] of parts) {
      this.#parts[index] = Buffer.from(`${index === 0 ? '' : ','}\n${text}`)
      this.#ends.length = Math.min(this.#ends.length, index)
      for (const twin of this.#twins) twin.staleFrom = Math.min(twin.staleFrom, index)
    }
    for (let index = this.#ends.length; index < this.#parts.length; index++) {
      this.#ends.push(this.#startOf(index) + (this.#parts[index] as Buffer).length)
    }
    const twin = this.#twins[this.#written]
    this.#write(twin)
    try {
      linkSync(twin.path, this.#fresh)
    } catch {
      // Some file systems have no links.
      copyFileSync(twin.path, this.#fresh)
      truncateSync(this.#fresh, twin.length)
    }
    renameSync(this.#fresh, this.#file)
    this.#written = this.#written === 0 ? 1 : 0
  }

  /** Takes away all but the file. */
  close(): void {
    for (const twin of this.#twins) twin.close()
  }

  #write(twin: FileCopy): void {
    const isNew = twin.staleFrom === 0
    const texts = [...this.#parts.slice(twin.staleFrom), this.#tail]
    if (isNew) texts.unshift(this.#head)
    twin.write(texts, isNew ? 0 : this.#startOf(twin.staleFrom))
    twin.staleFrom = this.#parts.length
  }

  #startOf(index: number): number {
    return this.#ends[index - 1] ?? this.#head.length
  }
}

/** A link stays one: what it leads to is written. */
function resolveLink(file: string): string {
  try {
    return realpathSync(file)
  } catch {
    return file
  }
}

function isFolder(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isDirectory() === true
}

/**
 * One of the two copies of a file that grows, of which one is seen and the other one is written.
 *
 * Spaces, which mean nothing in JSON, keep room behind its text until it is closed: a file that grew is written to the
 * disk by some file systems before it takes the place of another one, and that is most of what a part would cost.
 */
class FileCopy {
  readonly path: string
  /** The first part that it does not have as it should be */
  staleFrom = 0
  /** Where its text ends, in bytes */
  length = 0
  readonly #descriptor: number
  /** Where the file ends, in bytes */
  #size = 0

  /** @throws Error as Node does, for a file that cannot be written */
  constructor(path: string) {
    this.path = path
    // Its owner's alone: it may hold what is not for everyone.
    this.#descriptor = openSync(path, 'w', 0o600)
  }

  /** Writes texts from a place on: behind them are spaces alone. */
  write(texts: readonly Buffer[], start: number): void {
    const end = texts.reduce((length, text) => length + text.length, start)
    const room = end > this.#size ? spareBytes(end) : Math.max(0, this.length - end)
    writeAll(this.#descriptor, [...texts, Buffer.alloc(room, ' ')], start)
    this.length = end
    this.#size = Math.max(this.#size, end + room)
  }

  /** Takes it away; what was linked to it stays, without the room. */
  close(): void {
    ftruncateSync(this.#descriptor, this.length)
    closeSync(this.#descriptor)
    rmSync(this.path, { force: true })
  }
}

/** In bytes: the more there is, the more is to come. */
function spareBytes(length: number): number {
  return Math.max(16_384, Math.round(length / 4))
}

/** Writes everything from a place on. */
function writeAll(descriptor: number, buffers: readonly Buffer[], start: number): void {
  const whole = buffers.length < 512 ? buffers : [Buffer.concat(buffers)]
  const written = writevSync(descriptor, whole as Buffer[], start)
  if (written === whole.reduce((sum, buffer) => sum + buffer.length, 0)) return
  writeAll(descriptor, [Buffer.concat(whole).subarray(written)], start + written)
}
