/** What keeps something of the requests to a world: its journal, its changes, and rules about its clients. */
export interface Keeper {
  /** Gives up what it has kept for longest. @returns false if it has nothing */
  giveUp(): boolean
}

/** Says how many bytes more are kept, or fewer. */
export type Take = (bytes: number) => void

interface KeptWorld {
  readonly keepers: Keeper[]
  bytes: number
  /** Of rows and rules, which it does not give up */
  held: number
}

/** The least budget: several worlds with the usual limits. */
const minBytes = 64 * 1024 * 1024

/** How many journals of the largest size there is room for. */
const fullJournals = 4

/**
 * What is kept of requests to a simulator and all its sandboxes. They share one budget, in bytes: beyond it, the world that had
 * no request for longest gives up its oldest entries. The limits of each world hold besides.
 *
 * Rows that were written and rules of faults are not given up. A server sets how much of them there may be.
 */
export class Memory {
  readonly #limit: number
  /** The world without a request for longest first */
  readonly #worlds = new Map<object, KeptWorld>()
  #latest: object | undefined
  #bytes = 0
  #held = 0
  #most = Number.POSITIVE_INFINITY

  /** @param journalBytes the largest size of one journal */
  constructor(journalBytes: number) {
    this.#limit = Math.max(minBytes, fullJournals * journalBytes)
  }

  /** Counts what a keeper of a world has. */
  register(world: object, keeper: Keeper): Take {
    const kept = this.#worlds.get(world) ?? { keepers: [], bytes: 0, held: 0 }
    this.#worlds.set(world, kept)
    kept.keepers.push(keeper)
    return (bytes) => {
      if (this.#worlds.get(world) !== kept) return
      kept.bytes += bytes
      this.#bytes += bytes
      if (bytes > 0 && this.#bytes > this.#limit) this.#makeRoom()
    }
  }

  /** Refuses more than so many bytes of rows and rules, besides those that there are. */
  limitHeld(bytes: number): void {
    this.#most = this.#held + bytes
  }

  /** Counts rows and rules of a world. */
  hold(world: object, bytes: number): void {
    const kept = this.#worlds.get(world)
    if (!kept) return
    kept.held += bytes
    this.#held += bytes
  }

  get isFull(): boolean {
    return this.#held > this.#most
  }

  /** Says that a world has a request. */
  use(world: object): void {
    const kept = this.#worlds.get(world)
    if (world === this.#latest || !kept) return
    this.#latest = world
    this.#worlds.delete(world)
    this.#worlds.set(world, kept)
  }

  /** Forgets a world that ended. */
  leave(world: object): void {
    const kept = this.#worlds.get(world)
    if (!kept) return
    if (world === this.#latest) this.#latest = undefined
    this.#bytes -= kept.bytes
    this.#held -= kept.held
    this.#worlds.delete(world)
  }

  #makeRoom(): void {
    for (const { keepers } of this.#worlds.values()) {
      for (const keeper of keepers) {
        while (this.#bytes > this.#limit && keeper.giveUp());
      }
      if (this.#bytes <= this.#limit) return
    }
  }
}
