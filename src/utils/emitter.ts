type Listeners<Events extends Record<keyof Events, readonly unknown[]>> = {
  [Name in keyof Events]?: readonly ((...args: Events[Name]) => void)[]
}

/**
 * Calls listeners of named events.
 *
 * @typeParam Events the arguments of each event
 */
export class Emitter<Events extends Record<keyof Events, readonly unknown[]>> {
  readonly #report: (error: unknown) => void
  #listeners: Listeners<Events> = {}

  /** @param report called with exceptions of listeners: they never fail the code that emits */
  constructor(report: (error: unknown) => void) {
    this.#report = report
  }

  /** @returns a function that removes the listener */
  on<Name extends keyof Events>(name: Name, listener: (...args: Events[Name]) => void): () => void {
    this.#listeners[name] = [...(this.#listeners[name] ?? []), listener]
    return () => {
      this.#listeners[name] = this.#listeners[name]?.filter((other) => other !== listener)
    }
  }

  emit<Name extends keyof Events>(name: Name, ...args: Events[Name]): void {
    for (const listener of this.#listeners[name] ?? []) {
      try {
        listener(...args)
      } catch (error) {
        this.#report(error)
      }
    }
  }

  /** The number of listeners of an event. */
  count(name: keyof Events): number {
    return this.#listeners[name]?.length ?? 0
  }

  /** Removes all listeners. */
  clear(): void {
    this.#listeners = {}
  }
}
