import process from 'node:process'
import type { SingleBar } from 'cli-progress'
import type { Output } from '../command-context.ts'

/** Shows the progress of long work on a terminal. */
export interface ProgressBar {
  /** @param done the part of `total` that is done */
  update(done: number): void
  /** Removes the bar. */
  stop(): void
}

/** Work that ends sooner shows no bar, in milliseconds. */
const defaultDelay = 250

/**
 * Creates a progress bar. It is hidden if the stream is no terminal, and if CI is set. Nothing else may be written to
 * the stream until the bar stops.
 *
 * @param label the kind of work, such as `Importing`
 * @param total the value of `update` at which the work is done
 * @param delay how long the work takes before the bar is shown, in milliseconds
 * @example
 * const progress = await startProgressBar('Importing', bytes, process.stderr)
 * try { progress.update(bytes / 2) } finally { progress.stop() }
 */
export async function startProgressBar(
  label: string,
  total: number,
  stream: Output,
  delay: number = defaultDelay,
): Promise<ProgressBar> {
  if (!isInteractive(stream)) return hiddenProgressBar
  // esbuild gives `import()` of a CommonJS package only its default export if it splits the bundle
  // (https://github.com/evanw/esbuild/issues/3245).
  const { SingleBar, Presets } = (await import('cli-progress')).default
  const startedAt = performance.now()
  let bar: SingleBar | null = null
  return {
    update(done) {
      if (bar) return bar.update(done)
      if (performance.now() - startedAt < delay) return
      const format = `${label} {bar} {percentage} %`
      // Without its own handler for Ctrl-C, and with line wrap, the terminal stays usable after an interrupt.
      const terminal = { clearOnComplete: true, linewrap: true, gracefulExit: false }
      bar = new SingleBar({ format, stream, barsize: 30, ...terminal }, Presets.shades_classic)
      bar.start(total, done)
    },
    stop: () => bar?.stop(),
  }
}

/** A bar that is never shown. */
export const hiddenProgressBar: ProgressBar = { update() {}, stop() {} }

function isInteractive({ isTTY }: Output): boolean {
  const { CI, TERM } = process.env
  const isCi = CI !== undefined && !/^(0|false|)$/i.test(CI)
  return isTTY === true && !isCi && TERM !== 'dumb'
}
