import process from 'node:process'
import type { SingleBar } from 'cli-progress'
import type { Output } from './paint.ts'

/** How far long work is, for who waits at a terminal. */
export interface ProgressBar {
  /** @param done of the whole */
  update(done: number): void
  /** Takes the bar away. */
  stop(): void
}

/** In milliseconds: what is done sooner shows no bar. */
const showDelay = 250

/**
 * A bar on stderr, where that is a terminal: nothing in pipes, nor where CI is set. Nothing else may be written there
 * until it ends.
 *
 * @param what is done, such as `Importing`
 * @param whole what `at` counts up to
 * @example
 * const progress = await startProgress('Importing', bytes)
 * try { progress.at(bytes / 2) } finally { progress.end() }
 */
export async function startProgressBar(
  what: string,
  whole: number,
  stream: Output,
  patience: number = showDelay,
): Promise<ProgressBar> {
  if (!isInteractive(stream)) return hiddenProgressBar
  const { SingleBar, Presets } = await import('./lazy-cli-progress.ts')
  const began = performance.now()
  let bar: SingleBar | null = null
  return {
    update(done) {
      if (bar) return bar.update(done)
      if (performance.now() - began < patience) return
      const format = `${what} {bar} {percentage} %`
      const shown = { format, stream, barsize: 30 }
      // A Ctrl-C must leave the terminal as it was.
      const careful = { clearOnComplete: true, linewrap: true, gracefulExit: false }
      bar = new SingleBar({ ...shown, ...careful }, Presets.shades_classic)
      bar.start(whole, done)
    },
    stop: () => bar?.stop(),
  }
}

/** What shows nothing. */
export const hiddenProgressBar: ProgressBar = { update() {}, stop() {} }

function isInteractive(stream: Output): boolean {
  const { CI, TERM } = process.env
  const isCi = CI !== undefined && !/^(0|false|)$/i.test(CI)
  return stream.isTTY === true && !isCi && TERM !== 'dumb'
}
