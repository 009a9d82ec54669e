import type { OnWrite } from './watch.ts'

/** Wants to know when rows change. */
export interface Watcher {
  /** Told of each write. */
  readonly written: OnWrite
  /** Told when other rows have taken the place of all there were. */
  readonly replaced: () => void
}

/** Those who want to know when the rows of a sandbox change; most sandboxes have one at most. */
export class Watchers implements Watcher {
  #all: readonly Watcher[] = []

  /** @returns what ends the watching */
  add(watcher: Watcher): () => void {
    this.#all = [...this.#all, watcher]
    return () => {
      this.#all = this.#all.filter((other) => other !== watcher)
    }
  }

  written(...write: Parameters<OnWrite>): void {
    for (const watcher of this.#all) watcher.written(...write)
  }

  replaced(): void {
    for (const watcher of this.#all) watcher.replaced()
  }
}
