import type { SettingValues } from '../../settings/setting.ts'
import { isUsageError } from '../../utils/errors.ts'
import { isObject, tryParseJson } from '../../utils/json.ts'
import type { ClockSetting } from '../../world/clock/clock.ts'
import type { BuiltInWorld } from '../../world/load/build-world.ts'
import type { WorldJson } from '../../world/world-json.ts'
import type { ChangeStep, RequestStep } from '../format/scenario.ts'
import { fieldOfOneSide } from '../run/differences.ts'
import { ComparedSimulator } from '../run/quick-simulator.ts'
import { runStep } from '../run/run-steps.ts'
import type { Target } from '../run/target.ts'
import type { WrittenList } from './rows-seen.ts'
import { isSeenRow, itemsOf, type SeenRow } from './sighting.ts'

/** What a simulator answers to a recorded request. */
export interface Answer {
  readonly status: number
  readonly rows: readonly SeenRow[]
  /** The number of rows on all pages. Null without a page */
  readonly count: number | null
  /** How many parts of the response differ from the recorded one. Fields that only one side has do not count */
  readonly differing: number
}

/** A simulator that gets recorded requests, one after another. Delays are left out. */
export class TrafficReplay {
  readonly #simulator: ComparedSimulator
  readonly #target: Target
  readonly #saved: Map<string, unknown>

  private constructor(simulator: ComparedSimulator, target: Target) {
    this.#simulator = simulator
    this.#target = target
    this.#saved = new Map([['base_url', target.baseUrl]])
  }

  /** @throws UsageError for a world that cannot be loaded */
  static async open(
    world: WorldJson | BuiltInWorld,
    settings: SettingValues,
    clock: ClockSetting | undefined,
  ): Promise<TrafficReplay> {
    const simulator = ComparedSimulator.from(world, settings, { clock })
    return new TrafficReplay(simulator, await simulator.target())
  }

  /** Makes a change of the world, unless it cannot be made. */
  async change(change: ChangeStep): Promise<void> {
    try {
      await runStep(change, 0, this.#target, this.#saved, false)
    } catch (error) {
      if (!isUsageError(error)) throw error
    }
  }

  async send(step: RequestStep): Promise<Answer> {
    const { response, differences } = await runStep(step, 0, this.#target, this.#saved, false)
    const body = tryParseJson(response?.text ?? '')?.value
    const { plugin = body } = isObject(body) ? body : {}
    const items = isObject(body) && 'results' in body ? itemsOf(body) : [plugin]
    const differing = differences.filter((difference) => {
      const field = fieldOfOneSide(difference)
      return field === null || field === 'results'
    })
    return {
      status: response?.status ?? 0,
      rows: items.filter(isSeenRow),
      count: isObject(body) && typeof body.count === 'number' ? body.count : null,
      differing: differing.length,
    }
  }

  hasRow(list: WrittenList, id: number): boolean {
    return this.#simulator.world[list].get(id) !== undefined
  }

  /** The rows, to go back to them. */
  save(): () => void {
    const { state } = this.#simulator
    const copy = state.snapshot()
    const saved = new Map(this.#saved)
    return () => {
      state.restore(copy)
      for (const [name, value] of saved) this.#saved.set(name, value)
    }
  }
}
