import process from 'node:process'
import type { SingleBar } from 'cli-progress'

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
export async function startProgressBar(what: string, whole: number): Promise<ProgressBar> {
  if (!isInteractive()) return hiddenProgressBar
  const { SingleBar, Presets } = await import('./lazy-cli-progress.ts')
  const began = performance.now()
  let bar: SingleBar | null = null
  return {
    update(done) {
      if (bar) return bar.update(done)
      if (performance.now() - began < showDelay) return
      const format = `${what} {bar} {percentage} %`
      const shown = { format, stream: process.stderr, barsize: 30 }
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

function isInteractive(): boolean {
  const { CI, TERM } = process.env
  const isCi = CI !== undefined && !/^(0|false|)$/i.test(CI)
  return process.stderr.isTTY === true && !isCi && TERM !== 'dumb'
}
