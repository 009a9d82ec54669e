import process from 'node:process'
import type { JournalRecord } from '../sandbox/journal/journal.ts'
import type { SimulatorBase } from '../sandbox/simulator-base.ts'
import type { Simulator } from '../simulator.ts'
import { worldLists } from '../world/table/tables.ts'

type Library = typeof import('./prom-client.ts')

/** Most requests take less than a millisecond, and a fault can delay one by seconds. */
const buckets = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
]

/** The metrics of a server as text, with the type of the text. */
export interface MetricsText {
  readonly contentType: string
  readonly text: string
}

/**
 * Counts the requests of a simulator and of its sandboxes for Prometheus: first those in the journals, then each new
 * one. Everything else is read for each scrape.
 */
export class ServerMetrics {
  readonly #library: Library
  readonly #registry: InstanceType<Library['Registry']>
  readonly #root: Simulator
  /** The ids of the sandboxes. Those that ended are removed with the next scrape. */
  readonly #ids: Set<string>
  /** By a simulator, so that it holds no sandbox that ended */
  readonly #stops = new WeakMap<SimulatorBase, () => void>()

  /** @param closed ends the counting */
  static async create(root: Simulator, closed: AbortSignal): Promise<ServerMetrics> {
    return new ServerMetrics(await import('./prom-client.ts'), root, closed)
  }

  private constructor(library: Library, root: Simulator, closed: AbortSignal) {
    this.#library = library
    this.#registry = new library.Registry()
    this.#root = root
    this.#ids = new Set(root.sandboxes.list().map(({ id }) => id))
    const stop = this.#countRequests()
    // This module loads with the first scrape, and the server can close meanwhile.
    if (closed.aborted) stop()
    else closed.addEventListener('abort', stop, { once: true })
    this.#addGauges()
    this.#addProcess()
  }

  async read(): Promise<MetricsText> {
    const { contentType } = this.#registry
    return { contentType, text: await this.#registry.metrics() }
  }

  /** @returns a function that ends it */
  #countRequests(): () => void {
    const registers = [this.#registry]
    const requests = new this.#library.Counter({
      name: 'understudy_requests_total',
      help: 'Requests to the API. Status 0: a fault broke the connection.',
      labelNames: ['operation', 'status'],
      registers,
    })
    const duration = new this.#library.Histogram({
      name: 'understudy_request_duration_seconds',
      help: 'Time until the response was ready, delays of faults included.',
      labelNames: ['operation'],
      buckets,
      registers,
    })
    const count = ({ operation: id, response, ms }: JournalRecord): void => {
      const operation = id ?? 'unknown'
      requests.inc({ operation, status: response.status })
      duration.observe({ operation }, ms / 1000)
    }
    const follow = (simulator: SimulatorBase): void => {
      simulator.sandbox.journal.records.forEach(count)
      this.#stops.set(simulator, simulator.journal.followRecords(count))
    }
    this.#simulators().forEach(follow)
    const stop = this.#root.sandboxes.follow((id, simulator) => {
      this.#ids.add(id)
      follow(simulator)
    })
    return () => {
      stop()
      for (const simulator of this.#simulators()) this.#stops.get(simulator)?.()
    }
  }

  #addGauges(): void {
    const { sandboxes, persistence } = this.#root
    const simulators = () => this.#simulators()
    new this.#library.Gauge({
      name: 'understudy_rows',
      help: 'Rows of the world and of all sandboxes, deleted annotations included.',
      labelNames: ['list'],
      registers: [this.#registry],
      collect() {
        for (const list of worldLists) {
          this.set(
            { list },
            sum(simulators(), ({ sandbox }) => sandbox.tables[list].size),
          )
        }
      },
    })
    this.#gauge('understudy_sandboxes', 'Sandboxes that have not ended.', () => sandboxes.count)
    this.#gauge('understudy_journal_entries', 'Requests in the journals.', () =>
      sum(this.#simulators(), (one) => one.sandbox.journal.records.length),
    )
    // One follower of each journal is this object.
    this.#gauge(
      'understudy_journal_followers',
      'Logs and event streams that follow a journal.',
      () => sum(this.#simulators(), ({ journal }) => journal.followerCount - 1),
    )
    if (!persistence) return
    const help = '1 if changes are not saved in the file of --state yet, else 0.'
    this.#gauge('understudy_unsaved_changes', help, () => Number(persistence.status !== 'saved'))
  }

  /** The usual names of Prometheus. The other process metrics of prom-client observe every garbage collection. */
  #addProcess(): void {
    new this.#library.Counter({
      name: 'process_cpu_seconds_total',
      help: 'CPU time of the process.',
      registers: [this.#registry],
      collect() {
        const { user, system } = process.cpuUsage()
        this.reset()
        this.inc((user + system) / 1e6)
      },
    })
    const memory = process.memoryUsage
    this.#gauge('process_resident_memory_bytes', 'Memory of the process.', () => memory().rss)
    this.#gauge('nodejs_heap_size_used_bytes', 'Memory of objects.', () => memory().heapUsed)
  }

  #gauge(name: string, help: string, read: () => number): void {
    new this.#library.Gauge({
      name,
      help,
      registers: [this.#registry],
      collect() {
        this.set(read())
      },
    })
  }

  #simulators(): Simulator[] {
    const all = [this.#root]
    for (const id of this.#ids) {
      const simulator = this.#root.sandboxes.get(id)
      if (simulator) all.push(simulator)
      else this.#ids.delete(id)
    }
    return all
  }
}

function sum<T>(items: readonly T[], read: (item: T) => number): number {
  return items.reduce((total, item) => total + read(item), 0)
}
