import { formatCount } from '../utils/count.ts'
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

/** Collects the lines of one turn and prints them together, because each write wakes the reader up. */
export class LineBuffer {
  readonly #stream: Pick<Output, 'write'>
  #lines: (() => string)[] = []

  constructor(stream: Pick<Output, 'write'>) {
    this.#stream = stream
  }

  /** Adds a line. Its text is created when it is printed. */
  add(line: () => string): void {
    this.#lines.push(line)
    if (this.#lines.length === 1) setImmediate(() => this.flush())
  }

  flush(): void {
    const lines = this.#lines
    if (lines.length === 0) return
    this.#lines = []
    this.#stream.write(lines.map((line) => `${line()}\n`).join(''))
  }
}
