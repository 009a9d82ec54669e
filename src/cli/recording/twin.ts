import { closeSync, ftruncateSync, openSync, rmSync, writevSync } from 'node:fs'

/**
 * One of the two copies of a file that grows, of which one is seen and the other one is written.
 *
 * Spaces, which mean nothing in JSON, keep room behind its text until it is closed: a file that grew is written to the
 * disk by some file systems before it takes the place of another one, and that is most of what a part would cost.
 */
export class FileCopy {
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
