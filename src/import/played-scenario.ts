import { ClientRequest } from '../mistakes/client-request.ts'
import { MistakeFinder } from '../mistakes/mistake-finder.ts'
import type { Scenario } from '../scenarios/format/scenario.ts'
import { resolveSetup } from '../scenarios/run/options.ts'
import { type PlayedStep, play } from '../scenarios/run/play.ts'
import { arePassed, openRun, toStepResult } from '../scenarios/run/run-scenario.ts'
import { createQuickSender } from '../scenarios/run/simulator-sender.ts'
import { WrittenEntry } from '../simulator/journal/written-entry.ts'
import type { Simulator } from '../simulator/simulator.ts'

export type PlayedScenario = ReturnType<Plays['end']>

/** Plays a scenario in a copy of a simulator. @throws UsageError for a world that the simulator does not know */
export async function playWhole(scenario: Scenario, simulator: Simulator): Promise<PlayedScenario> {
  const copy = openRun(resolveSetup(scenario), simulator)
  const plays = new Plays(copy)
  for await (const step of play(scenario, await createQuickSender(copy))) plays.add(step)
  return plays.end()
}

export class Plays {
  readonly #simulator: Simulator
  readonly #played: PlayedStep[] = []
  readonly #requests: ClientRequest[] = []
  readonly #finder = new MistakeFinder()

  constructor(simulator: Simulator) {
    this.#simulator = simulator
  }

  add(step: PlayedStep): void {
    const index = this.#played.length
    this.#played.push({ ...step, index, result: { ...step.result, response: null } })
    const { record } = step
    if (!record) return
    const entry = new WrittenEntry(record, this.#simulator.state)
    const recorded = recordedStatus(step)
    if (recorded === undefined || recorded >= 400) this.#finder.add(entry.compact)
    this.#requests.push(new ClientRequest(entry, { index, recorded }))
  }

  end() {
    const steps = this.#played.map((step) => toStepResult(step))
    return {
      /** Without the texts of responses */
      played: this.#played as readonly PlayedStep[],
      requests: this.#requests as readonly ClientRequest[],
      result: { passed: arePassed(steps), steps },
      mistakes: this.#finder.found,
      /** The rows after all requests */
      world: this.#simulator.world,
    } as const
  }
}

/** The recorded status of a request that a simulator refuses by its rules, with another status. */
function recordedStatus({ record, result: { differences } }: PlayedStep): number | undefined {
  const { expected, got } = differences.find(({ where }) => where === 'status') ?? {}
  const isRefused = record?.fault === null && Number(got) >= 400
  return isRefused && typeof expected === 'number' ? expected : undefined
}
