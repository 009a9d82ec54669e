import { openSync, rmSync, writevSync } from 'node:fs'
import { formatCount } from '../utils/count.ts'
import { wait } from '../utils/wait.ts'
import type { Output } from './command-context.ts'

export { formatCount }

/** The names of rows that differ from their lists. */
const rowNames: Readonly<Record<string, string>> = {
  dashboard_items: 'dashboard item',
  plugin_configs: 'plugin configuration',
  activity: 'activity entry',
}

/** Formats the numbers of rows of a world. @example formatRowCounts({ projects: 2, activity: 1 }) // '2 projects, 1 activity entry' */
export function formatRowCounts(rows: Readonly<Record<string, number>>): string {
  const texts = Object.entries(rows).map(([list, count]) =>
    formatCount(count, rowNames[list] ?? list.replace(/s$/, '')),
  )
  return texts.length === 0 ? 'no rows' : texts.join(', ')
}

/** Collects lines and prints them together, because each write wakes the reader up. */
export class LineBuffer {
  readonly #stream: Pick<Output, 'write'>
  readonly #delay: number
  #lines: (() => string)[] = []

  /** @param delay the longest time that a line waits, in milliseconds; 0 prints the lines of one turn together */
  constructor(stream: Pick<Output, 'write'>, delay: number) {
    this.#stream = stream
    this.#delay = delay
  }

  /** Adds a line. Its text is created when it is printed. */
  add(line: () => string): void {
    this.#lines.push(line)
    if (this.#lines.length > 1) return
    if (this.#delay === 0) setImmediate(() => this.flush())
    else void wait(this.#delay).then(() => this.flush())
  }

  flush(): void {
    const lines = this.#lines
    if (lines.length === 0) return
    this.#lines = []
    this.#stream.write(lines.map((line) => `${line()}\n`).join(''))
  }
}

/** Creates a file for its owner only, because it can contain secrets. A file or a link at its name is removed. */
export function createSync(file: string): number {
  rmSync(file, { force: true })
  return openSync(file, 'wx', 0o600)
}

export function writeAll(descriptor: number, buffers: readonly Buffer[], start: number): void {
  const whole = buffers.length < 512 ? buffers : [Buffer.concat(buffers)]
  const written = writevSync(descriptor, whole as Buffer[], start)
  if (written === whole.reduce((sum, buffer) => sum + buffer.length, 0)) return
  writeAll(descriptor, [Buffer.concat(whole).subarray(written)], start + written)
}
