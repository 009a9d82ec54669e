import type { ControlCall } from '../control/carried-out.ts'
import type { JournalRecord } from '../journal/record.ts'
import type { Step } from '../scenarios/scenario.ts'
import type { Simulator } from '../simulator.ts'
import { formatIsoTime } from '../world/time.ts'
import { toExactStep } from './exact-step.ts'
import { toChangeStep } from './of-control.ts'
import { recordToExchange } from './of-record.ts'
import { type KnownKeys, UnknownKeys } from './strange-keys.ts'

/** Where a recording goes, step by step. */
export interface StepSink {
  add(step: Step): void
  /** Told of what no step can say. */
  omit(what: string): void
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
  readonly #keys = new UnknownKeys(() => this.#labels)
  #clock: number
  /** Ends it. */
  readonly stop: () => void

  constructor(simulator: Simulator, sink: StepSink) {
    this.#simulator = simulator
    this.#sink = sink
    this.#labels = collectKeyLabels(simulator)
    this.#clock = simulator.clock.now()
    this.stop = simulator.journal.followRecords((record) => this.#asked(record))
  }

  /** The time that the steps begin at: ISO 8601, UTC */
  get clock(): string {
    return formatIsoTime(this.#clock)
  }

  /** Told of each call of the control API that was carried out. */
  addControlCall({ simulator, ...call }: ControlCall): void {
    if (simulator !== this.#simulator) return
    const change = toChangeStep({
      ...call,
      world: () => simulator.world.toJSON(),
      label: (value) => this.#labels.get(value),
      issued: simulator.keys.list().flatMap(({ value }) => (this.#labels.has(value) ? [] : value)),
      isSaved: (name) => this.#snapshots.has(name),
    })
    this.#labels = collectKeyLabels(simulator)
    if (change === null) return
    if ('lost' in change) {
      this.#sink.omit(change.lost)
      return
    }
    if ('snapshot' in change) this.#snapshots.add(change.snapshot)
    this.#at(simulator.clock.now())
    this.#sink.add(this.#keys.hideInChange(change))
  }

  #asked(record: JournalRecord): void {
    const exchange = recordToExchange(record, 'http://localhost')
    const exact = toExactStep(exchange, this.#keys)
    if ('lost' in exact) {
      this.#sink.omit(exact.lost)
      return
    }
    this.#at(record.at)
    this.#sink.add(exact.step)
  }

  /** A clock that stands still, and is moved on between the steps, gives the same times again. */
  #at(time: number): void {
    if (time === this.#clock) return
    this.#clock = time
    this.#sink.add({ clock: formatIsoTime(time) })
  }
}

function collectKeyLabels({ keys }: Simulator): KnownKeys {
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
