import type { WriteListener } from './watch.ts'

/** Wants to know when rows change. */
export interface WorldObserver {
  /** Told of each write. */
  readonly rowWritten: WriteListener
  /** Told when other rows have taken the place of all there were. */
  readonly rowsReplaced: () => void
}

/** Those who want to know when the rows of a sandbox change; most sandboxes have one at most. */
export class WorldObservers implements WorldObserver {
  #all: readonly WorldObserver[] = []

  /** @returns what ends the watching */
  add(watcher: WorldObserver): () => void {
    this.#all = [...this.#all, watcher]
    return () => {
      this.#all = this.#all.filter((other) => other !== watcher)
    }
  }

  rowWritten(...write: Parameters<WriteListener>): void {
    for (const watcher of this.#all) watcher.rowWritten(...write)
  }

  rowsReplaced(): void {
    for (const watcher of this.#all) watcher.rowsReplaced()
  }
}
