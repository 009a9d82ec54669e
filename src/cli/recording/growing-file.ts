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
 * A growing list in a file that is complete at any moment, even after a crash. Adding a part takes the same time at any
 * size: there are two copies of the file, and the hidden one is written, then renamed over the visible one.
 */
export class GrowingFile {
  readonly #file: string
  readonly #link: string
  readonly #copies: readonly [FileCopy, FileCopy]
  readonly #head: Buffer
  readonly #tail: Buffer
  readonly #parts: Buffer[] = []
  /** The end of each part, in bytes */
  readonly #ends: number[] = []
  #hidden: 0 | 1 = 0

  /**
   * @param head the text before the parts
   * @param tail the text after the parts
   * @throws Error as Node does, for a file that cannot be written. An existing file stays until the first part is added.
   */
  constructor(file: string, head: string, tail: string) {
    this.#file = resolveLink(file)
    if (isFolder(this.#file)) throw Object.assign(new Error('a folder'), { code: 'EISDIR' })
    this.#link = `${this.#file}.${process.pid}.c.tmp`
    this.#head = Buffer.from(head)
    this.#tail = Buffer.from(tail)
    this.#copies = [
      new FileCopy(`${this.#file}.${process.pid}.a.tmp`),
      new FileCopy(`${this.#file}.${process.pid}.b.tmp`),
    ]
  }

  /** The number of parts. */
  get length(): number {
    return this.#parts.length
  }

  /** Adds parts and replaces parts, by their indices. */
  put(parts: ReadonlyMap<number, string>): void {
    for (const [index, text] of parts) {
      this.#parts[index] = Buffer.from(`${index === 0 ? '' : ','}\n${text}`)
      this.#ends.length = Math.min(this.#ends.length, index)
      for (const copy of this.#copies) copy.staleFrom = Math.min(copy.staleFrom, index)
    }
    for (let index = this.#ends.length; index < this.#parts.length; index++) {
      this.#ends.push(this.#startOf(index) + (this.#parts[index] as Buffer).length)
    }
    const copy = this.#copies[this.#hidden]
    this.#write(copy)
    try {
      linkSync(copy.path, this.#link)
    } catch {
      // Some file systems do not support hard links.
      copyFileSync(copy.path, this.#link)
      truncateSync(this.#link, copy.length)
    }
    renameSync(this.#link, this.#file)
    this.#hidden = this.#hidden === 0 ? 1 : 0
  }

  /** Removes the two copies. */
  close(): void {
    for (const copy of this.#copies) copy.close()
  }

  #write(copy: FileCopy): void {
    const isNew = copy.staleFrom === 0
    const texts = [...this.#parts.slice(copy.staleFrom), this.#tail]
    if (isNew) texts.unshift(this.#head)
    copy.write(texts, isNew ? 0 : this.#startOf(copy.staleFrom))
    copy.staleFrom = this.#parts.length
  }

  #startOf(index: number): number {
    return this.#ends[index - 1] ?? this.#head.length
  }
}

/** Returns the target of a symbolic link, so that the link itself stays. */
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
 * One of the two copies of a growing file.
 *
 * Spaces, which JSON ignores, fill the file behind its text until it is closed. Some file systems write a file that
 * grew to the disk before they rename it, and that would take most of the time of adding a part.
 */
class FileCopy {
  readonly path: string
  /** The index of the first part that is outdated in this copy */
  staleFrom = 0
  /** The length of the text, in bytes */
  length = 0
  readonly #descriptor: number
  /** The length of the file, in bytes */
  #size = 0

  /** @throws Error as Node does, for a file that cannot be written */
  constructor(path: string) {
    this.path = path
    // Only for its owner, because it can contain secrets.
    this.#descriptor = openSync(path, 'w', 0o600)
  }

  /** Writes texts from an offset on, and spaces behind them. */
  write(texts: readonly Buffer[], start: number): void {
    const end = texts.reduce((length, text) => length + text.length, start)
    const spaces = end > this.#size ? spareBytes(end) : Math.max(0, this.length - end)
    writeAll(this.#descriptor, [...texts, Buffer.alloc(spaces, ' ')], start)
    this.length = end
    this.#size = Math.max(this.#size, end + spaces)
  }

  /** Cuts off the spaces and removes this copy. A hard link to it stays. */
  close(): void {
    ftruncateSync(this.#descriptor, this.length)
    closeSync(this.#descriptor)
    rmSync(this.path, { force: true })
  }
}

/** Returns the number of bytes to reserve, which grows with the file. */
function spareBytes(length: number): number {
  return Math.max(16_384, Math.round(length / 4))
}

/** Writes all buffers from an offset on. */
function writeAll(descriptor: number, buffers: readonly Buffer[], start: number): void {
  const whole = buffers.length < 512 ? buffers : [Buffer.concat(buffers)]
  const written = writevSync(descriptor, whole as Buffer[], start)
  if (written === whole.reduce((sum, buffer) => sum + buffer.length, 0)) return
  writeAll(descriptor, [Buffer.concat(whole).subarray(written)], start + written)
}
