import type { SimulatorBase } from '../../sandbox/simulator-base.ts'
import { type ControlCall, toControlStep } from './control-steps.ts'
import { recordToExchange } from './journal-exchange.ts'
import { RecordedClock, Recorder, type StepSink } from './recorder.ts'
import type { KnownKeys } from './unknown-keys.ts'

/**
 * Records a simulator while it runs: each request with its exact response, and each change of the world between them.
 * Steps are written at once and not stored.
 *
 * @note If the clock of the simulator runs, it must be held during each request. See `Clock.hold`.
 */
export class RunRecorder {
  readonly #simulator: SimulatorBase
  readonly #sink: StepSink
  readonly #recorder: Recorder
  readonly #clock: RecordedClock
  readonly #snapshots = new Set<string>()
  #keys: KnownKeys
  /** The time of the next step, in milliseconds since 1970. */
  #now: number
  /** Stops the recording. */
  readonly stop: () => void

  constructor(simulator: SimulatorBase, sink: StepSink) {
    this.#simulator = simulator
    this.#sink = sink
    this.#keys = readKnownKeys(simulator)
    this.#now = simulator.clock.now()
    this.#clock = new RecordedClock(this.#now)
    const timedSink: StepSink = {
      add: (step) => {
        const move = this.#clock.moveTo(this.#now)
        if (move) sink.add(move)
        sink.add(step)
      },
      omit: (what) => sink.omit(what),
    }
    this.#recorder = new Recorder({}, { sink: timedSink, keys: () => this.#keys })
    this.stop = simulator.journal.followRecords((record) => {
      this.#now = record.at
      const exchange = recordToExchange(record, 'http://localhost')
      this.#recorder.add(exchange, originOf(exchange.url))
    })
  }

  /** Records a successful request to the control API. */
  addControlCall({ simulator, ...call }: ControlCall): void {
    if (simulator !== this.#simulator) return
    const oldKeys = this.#keys
    const step = toControlStep({
      ...call,
      world: () => simulator.world.toJSON(),
      label: (value) => oldKeys.get(value),
      newKeys: simulator.keys.list().flatMap(({ value }) => (oldKeys.has(value) ? [] : value)),
      isSaved: (name) => this.#snapshots.has(name),
    })
    this.#keys = readKnownKeys(simulator)
    if (step === null) return
    if ('omitted' in step) {
      this.#sink.omit(step.omitted)
      return
    }
    if ('snapshot' in step) this.#snapshots.add(step.snapshot)
    this.#now = simulator.clock.now()
    this.#recorder.addChange(step)
  }
}

function originOf(url: string): string {
  return /^https?:\/\/[^/]*/.exec(url)?.[0] ?? ''
}

function readKnownKeys({ keys }: SimulatorBase): KnownKeys {
  const labels = new Map<string, string | null>()
  const values = new Map<string | null, string>()
  for (const { value, label } of keys.list()) {
    const sameLabel = values.get(label)
    if (sameLabel !== undefined) labels.set(sameLabel, null)
    labels.set(value, sameLabel === undefined ? label : null)
    values.set(label, value)
  }
  return labels
}
