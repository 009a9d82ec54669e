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
  writevSync,
} from 'node:fs'
import process from 'node:process'

/** One of the two copies of the file, of which one is seen and the other one is written. */
interface Twin {
  readonly path: string
  readonly descriptor: number
  /** The first part that it does not have as it should be */
  stale: number
  /** Where its text ends, in bytes */
  length: number
  /** Where the file ends: between the two are spaces, which mean nothing in JSON */
  size: number
}

/**
 * A list that grows as a file: whoever reads it, at any moment and after any crash, finds all of it. Adding a part
 * costs the same however large it is: of two copies the one that nobody sees is written, then takes the other's place.
 *
 * Spaces keep room behind the text until the file is closed: a file that grew since it was named last is written to
 * the disk by some file systems before another one makes way for it, and that is most of what a part would cost.
 */
export class GrowingFile {
  readonly #file: string
  readonly #fresh: string
  readonly #twins: readonly [Twin, Twin]
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
    this.#file = realOf(file)
    if (isFolder(this.#file)) throw Object.assign(new Error('a folder'), { code: 'EISDIR' })
    this.#fresh = `${this.#file}.${process.pid}.c.tmp`
    this.#head = Buffer.from(head)
    this.#tail = Buffer.from(tail)
    this.#twins = [
      open(`${this.#file}.${process.pid}.a.tmp`),
      open(`${this.#file}.${process.pid}.b.tmp`),
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
      for (const twin of this.#twins) twin.stale = Math.min(twin.stale, index)
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
    }
    renameSync(this.#fresh, this.#file)
    this.#written = this.#written === 0 ? 1 : 0
  }

  /** Takes away all but the file, and the room in it. */
  close(): void {
    for (const { descriptor, path, length } of this.#twins) {
      ftruncateSync(descriptor, length)
      closeSync(descriptor)
      rmSync(path, { force: true })
    }
  }

  #write(twin: Twin): void {
    const isNew = twin.stale === 0
    const start = isNew ? 0 : this.#startOf(twin.stale)
    const texts = [...(isNew ? [this.#head] : []), ...this.#parts.slice(twin.stale), this.#tail]
    const end = texts.reduce((length, text) => length + text.length, start)
    const room = end > twin.size ? roomBehind(end) : Math.max(0, twin.length - end)
    writeAll(twin.descriptor, [...texts, Buffer.alloc(room, ' ')], start)
    twin.length = end
    twin.size = Math.max(twin.size, end + room)
    twin.stale = this.#parts.length
  }

  #startOf(index: number): number {
    return this.#ends[index - 1] ?? this.#head.length
  }
}

/** Its owner's alone: it may hold what is not for everyone. */
function open(path: string): Twin {
  return { path, descriptor: openSync(path, 'w', 0o600), stale: 0, length: 0, size: 0 }
}

/** In bytes: the more there is, the more is to come. */
function roomBehind(length: number): number {
  return Math.max(16_384, Math.round(length / 4))
}

/** Writes everything from a place on. */
function writeAll(descriptor: number, buffers: readonly Buffer[], start: number): void {
  const whole = buffers.length < 512 ? buffers : [Buffer.concat(buffers)]
  const written = writevSync(descriptor, whole as Buffer[], start)
  if (written === whole.reduce((sum, buffer) => sum + buffer.length, 0)) return
  writeAll(descriptor, [Buffer.concat(whole).subarray(written)], start + written)
}

/** A link stays one: what it leads to is written. */
function realOf(file: string): string {
  try {
    return realpathSync(file)
  } catch {
    return file
  }
}

function isFolder(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isDirectory() === true
}
