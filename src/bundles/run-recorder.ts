import type { CarriedOut } from '../control/carried-out.ts'
import type { JournalRecord } from '../journal/record.ts'
import type { Step } from '../scenarios/scenario.ts'
import type { Simulator } from '../simulator.ts'
import { toIso } from '../world/time.ts'
import { exactStep } from './exact-step.ts'
import { changeOf } from './of-control.ts'
import { exchangeOfRecord } from './of-record.ts'
import { type KnownKeys, StrangeKeys } from './strange-keys.ts'

/** Where a recording goes, step by step. */
export interface StepSink {
  add(step: Step): void
  /** Told of what no step can say. */
  lose(what: string): void
}

/**
 * Makes steps of all that happens to a simulator: of each request with its exact answer, and of each change of its
 * world in between. It keeps none of them.
 *
 * @note A simulator whose clock runs has to hold it for each request: see `Clock.hold`.
 */
export class RunRecorder {
  readonly #simulator: Simulator
  readonly #sink: StepSink
  readonly #snapshots = new Set<string>()
  /** By the values of keys; null for a label that several have. */
  #labels: KnownKeys
  readonly #keys = new StrangeKeys(() => this.#labels)
  #clock: number
  /** Ends it. */
  readonly stop: () => void

  constructor(simulator: Simulator, sink: StepSink) {
    this.#simulator = simulator
    this.#sink = sink
    this.#labels = labelsOf(simulator)
    this.#clock = simulator.clock.now()
    this.stop = simulator.journal.followRecords((record) => this.#asked(record))
  }

  /** The time that the steps begin at: ISO 8601, UTC */
  get clock(): string {
    return toIso(this.#clock)
  }

  /** Told of each call of the control API that was carried out. */
  steered({ simulator, ...call }: CarriedOut): void {
    if (simulator !== this.#simulator) return
    const change = changeOf({
      ...call,
      world: () => simulator.world.toJSON(),
      label: (value) => this.#labels.get(value),
      issued: simulator.keys.list().flatMap(({ value }) => (this.#labels.has(value) ? [] : value)),
      isSaved: (name) => this.#snapshots.has(name),
    })
    this.#labels = labelsOf(simulator)
    if (change === null) return
    if ('lost' in change) {
      this.#sink.lose(change.lost)
      return
    }
    if ('snapshot' in change) this.#snapshots.add(change.snapshot)
    this.#at(simulator.clock.now())
    this.#sink.add(this.#keys.change(change))
  }

  #asked(record: JournalRecord): void {
    const exchange = exchangeOfRecord(record, 'http://localhost')
    const exact = exactStep(exchange, this.#keys)
    if ('lost' in exact) {
      this.#sink.lose(exact.lost)
      return
    }
    this.#at(record.at)
    this.#sink.add(exact.step)
  }

  /** A clock that stands still, and is moved on between the steps, gives the same times again. */
  #at(time: number): void {
    if (time === this.#clock) return
    this.#clock = time
    this.#sink.add({ clock: toIso(time) })
  }
}

function labelsOf({ keys }: Simulator): KnownKeys {
  const labels = new Map<string, string | null>()
  const values = new Map<string | null, string>()
  for (const { value, label } of keys.list()) {
    const other = values.get(label)
    if (other !== undefined) labels.set(other, null)
    labels.set(value, other === undefined ? label : null)
    values.set(label, value)
  }
  return labels
}
