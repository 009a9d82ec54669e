import type { Remote } from '../admin/connect.ts'
import type { RemoteError } from '../admin/connection.ts'
import type { ClientMistake } from '../mistakes/rule.ts'
import type { SettingInfo } from '../settings/resolve.ts'
import type { FaultInfo } from '../simulator/faults/fault.ts'
import type { JournalEntry } from '../simulator/journal/entry.ts'
import type { SandboxInfo } from '../simulator/sandboxes/sandboxes.ts'
import { abortOf, wait } from '../utils/wait.ts'
import type { ClockReading } from '../world/clock/clock.ts'
import { maxEntries } from './problem-list.ts'

/** Milliseconds. Requests are seen at once. What the command line or a test sets is seen after this time. */
const refreshInterval = 3_000

const reconnectDelay = 2_000

/** What all views show of a world, kept up to date. After a lost connection it connects again. */
export class Live {
  connection: 'connecting' | 'connected' | 'lost' = 'connecting'
  /** Whether the rest is known. Else an empty list says nothing. */
  isLoaded = false
  /** Why there is no connection. Null if the server ended it. */
  error: Error | null = null
  /** Whether the server wants another token. Then nothing more is asked. */
  isLocked = false
  /** The newest first. */
  entries: readonly JournalEntry[] = []
  mistakes: readonly ClientMistake[] = []
  clock: ClockReading | undefined
  /** When the clock was read: milliseconds, as of `performance.now()`. */
  readAt = 0
  faults: readonly FaultInfo[] = []
  settings: readonly SettingInfo[] = []
  sandboxes: readonly SandboxInfo[] = []
  /** Views load again when it changes: after an operation, and at most once per second after requests that change rows. */
  version = 0
  readonly #server: Remote
  readonly #remote: Remote
  readonly #listeners = new Set<() => void>()
  #isFrameDue = false
  /** Whether there were requests since the mistakes were loaded, and changes of rows since the views were. */
  #hasRequests = true
  #hasChanges = false
  readonly #updateSoon = throttle(() => this.#update())

  /** @param server the main world, which has the sandboxes */
  constructor(server: Remote, remote: Remote) {
    this.#server = server
    this.#remote = remote
  }

  /** @returns a function that removes the listener */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  #notify() {
    for (const listener of [...this.#listeners]) listener()
  }

  follow(closed: AbortSignal): void {
    this.#followJournal(closed)
    this.#poll(closed)
  }

  /** Loads everything that is shown again. An operation can change anything. */
  changed(): Promise<void> {
    this.#hasChanges = true
    return this.#update()
  }

  /** @returns what to tell the user */
  async clearJournal(): Promise<string> {
    await this.#remote.journal.clear()
    Object.assign(this, { entries: [], mistakes: [] })
    this.#notify()
    return 'The requests are cleared.'
  }

  async #poll(closed: AbortSignal) {
    while (await wait(refreshInterval, abortOf(closed))) {
      if (!document.hidden && this.connection === 'connected') await this.#update()
    }
  }

  /** Without an error: the journal's connection says whether the server is there. */
  async #update() {
    const hasChanges = this.#hasChanges
    this.#hasChanges = false
    await this.#load().catch(() => {})
    if (hasChanges) this.version += 1
    this.#notify()
  }

  async #load() {
    const remote = this.#remote
    // The server looks through its whole journal for them. Another client may have cleared it.
    const areMistakesDue = this.#hasRequests || this.mistakes.length > 0
    this.#hasRequests = false
    const [mistakes, clock, faults, settings, sandboxes] = await Promise.all([
      areMistakesDue ? remote.journal.mistakes() : [],
      remote.clock.read(),
      remote.faults.list(),
      remote.settings.list(),
      this.#server.sandboxes.list(),
    ])
    const readAt = performance.now()
    Object.assign(this, { mistakes, clock, readAt, faults, settings, sandboxes })
  }

  async #followJournal(closed: AbortSignal) {
    while (!closed.aborted) {
      this.error = await this.#followOnce(closed).then(
        () => null,
        (error: Error) => error,
      )
      if (closed.aborted) return
      this.connection = 'lost'
      this.isLocked = (this.error as Partial<RemoteError> | null)?.status === 401
      this.#notify()
      if (this.isLocked) return
      await wait(reconnectDelay, abortOf(closed))
    }
  }

  /** Resolves when the server ends the connection. */
  async #followOnce(closed: AbortSignal) {
    const { journal } = this.#remote
    const latest = { limit: maxEntries, bodies: false }
    this.#hasRequests = true
    const [stored] = await Promise.all([journal.find(latest), this.#load()])
    this.entries = stored.toReversed()
    this.isLoaded = true
    this.#notify()
    const after = stored.at(-1)?.id ?? 0
    await new Promise<void>((resolve, reject) => {
      journal
        .follow((entry) => this.#add(entry), {
          ...{ after, bodies: false, onError: reject, onEnd: resolve },
        })
        .then((stop) => {
          closed.addEventListener('abort', stop, { once: true })
          if (closed.aborted) stop()
          this.connection = 'connected'
          this.version += 1
          this.#notify()
        }, reject)
    })
  }

  /** The next frame draws it: thousands may arrive at once. A hidden tab has no frames. */
  #add(entry: JournalEntry) {
    this.entries = [entry, ...this.entries.slice(0, maxEntries - 1)]
    this.#hasRequests = true
    this.#hasChanges ||= entry.changes.length > 0
    if (this.#isFrameDue) return
    this.#isFrameDue = true
    requestAnimationFrame(() => {
      this.#isFrameDue = false
      this.#notify()
      this.#updateSoon()
    })
  }
}

/** Calls a function at most once per second, and ten times less often than it takes. Calls meanwhile make one more call. */
function throttle(call: () => unknown): () => void {
  let isWaiting = false
  let isDue = false
  const run = async () => {
    isDue = isWaiting
    if (isWaiting) return
    isWaiting = true
    const start = performance.now()
    await call()
    await wait(Math.max(1_000, 10 * (performance.now() - start)))
    isWaiting = false
    if (isDue) run()
  }
  return run
}
