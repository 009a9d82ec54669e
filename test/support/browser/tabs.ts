import { shareWorld } from '../../../src/integrations/browser/share-world.ts'
import { createSimulator, type Simulator } from '../../../src/simulator.ts'

/** A tab: it sees its own writes at once, those of others when the browser tells it. */
export interface Tab {
  readonly simulator: Simulator
  /** What its `onError` was told. */
  readonly told: string[]
  annotate(content: string): Promise<void>
  contents(): string[]
}

/** Tabs of one origin, each in a process of its own: what they tell each other is on its way until it is moved. */
export interface Tabs {
  open(): Tab
  /** What can be moved now: a write to the browser, news to a process, an event to its page. */
  moves(): (() => void)[]
  /** Moves all there is. */
  settle(): void
}

/**
 * Tabs as Chromium keeps them: a process has a copy of the storage. While a write of its own is on its way, it takes
 * no other value over it, as its own will be the later one; the page is told of each all the same.
 */
export function createTabs(): Tabs {
  const processes: Process[] = []
  const moves: Tabs['moves'] = () => processes.flatMap((one) => one.moves())
  const toBrowser = (writer: Process, value: string): void => {
    for (const one of processes) one.news.push({ writer, value })
  }
  return {
    open() {
      const one = new Process(processes[0]?.settled ?? null, toBrowser)
      processes.push(one)
      return one.openTab(`tab ${processes.length}`)
    },
    moves,
    settle() {
      for (let [move] = moves(); move; [move] = moves()) move()
    },
  }
}

class Process {
  readonly news: { writer: Process; value: string }[] = []
  /** The latest that the browser told. */
  settled: string | null
  #copy: string | null
  readonly #outgoing: string[] = []
  #onTheirWay = 0
  readonly #events: string[] = []
  #listener: (event: StorageEvent) => void = () => {}
  readonly #toBrowser: (writer: Process, value: string) => void

  constructor(value: string | null, toBrowser: (writer: Process, value: string) => void) {
    this.settled = this.#copy = value
    this.#toBrowser = toBrowser
  }

  openTab(id: string): Tab {
    const simulator = createSimulator()
    const told: string[] = []
    const storage = {
      getItem: () => this.#copy,
      setItem: (_: string, value: string) => {
        this.#copy = value
        this.#onTheirWay++
        this.#outgoing.push(value)
      },
    } as unknown as Storage
    const page = {
      addEventListener: (_: string, listener: () => void) => (this.#listener = listener),
      removeEventListener: () => (this.#listener = () => {}),
    } as unknown as Window
    const onError = (error: unknown): unknown => told.push((error as Error).message)
    shareWorld(simulator, storage, { onError }, page, id)
    const hear = this.#listener
    this.#listener = (event) => hear({ ...event, storageArea: storage })
    return {
      simulator,
      told,
      async annotate(content) {
        simulator.world.annotations.create({ content })
        await null
      },
      contents: () => simulator.world.annotations.list().flatMap(({ content }) => content ?? []),
    }
  }

  moves(): (() => void)[] {
    const [value] = this.#outgoing
    const [piece] = this.news
    const [event] = this.#events
    return [
      ...(value === undefined
        ? []
        : [() => this.#toBrowser(this, this.#outgoing.shift() as string)]),
      ...(piece === undefined ? [] : [() => this.#take()]),
      ...(event === undefined ? [] : [() => this.#tell()]),
    ]
  }

  #take(): void {
    const { writer, value } = this.news.shift() as { writer: Process; value: string }
    this.settled = value
    if (writer === this) {
      this.#onTheirWay--
      return
    }
    if (this.#onTheirWay === 0) this.#copy = value
    this.#events.push(value)
  }

  #tell(): void {
    this.#listener({ key: 'understudy', newValue: this.#events.shift() } as unknown as StorageEvent)
  }
}
