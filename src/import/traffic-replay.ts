import { SeenRequest, type SeenRow } from '../mistakes/seen-request.ts'
import { parseScenario } from '../scenarios/format/check-scenario.ts'
import type { ChangeStep, RequestStep, Step } from '../scenarios/format/scenario.ts'
import { fieldOfOneSide } from '../scenarios/run/differences.ts'
import { type PlayedStep, playStep } from '../scenarios/run/play.ts'
import type { Sender } from '../scenarios/run/sender.ts'
import { createQuickSender, openQuickSimulator } from '../scenarios/run/simulator-sender.ts'
import type { SettingValues } from '../settings/setting.ts'
import type { Simulator } from '../simulator/simulator.ts'
import { issuesOf } from '../utils/errors.ts'
import { tryParseJson } from '../utils/json.ts'
import { parseQuery } from '../utils/query.ts'
import type { ClockSetting } from '../world/clock/clock.ts'
import { once } from '../world/schema/world-schema.ts'
import { isRowId } from '../world/world-format.ts'
import type { WorldJson } from '../world/world-json.ts'
import { type PlayedScenario, Plays } from './played-scenario.ts'
import type { WrittenList } from './rows-seen.ts'

export interface SimulatedAnswer {
  /** The request, as the simulator saw it. Null if it did not get it */
  readonly seen: SeenRequest | null
  /** How many parts of the response differ, but for fields that only one side has */
  readonly differing: number
}

/** A simulator that gets recorded requests, and can go back to an earlier moment. Delays take no time. */
export class TrafficReplay {
  readonly #simulator: Simulator
  readonly #sender: Sender
  #saved: PlayedStep['saved'] | undefined
  /** Null as soon as anything else happens */
  #plays: Plays | null

  private constructor(simulator: Simulator, sender: Sender) {
    this.#simulator = simulator
    this.#sender = sender
    this.#plays = new Plays(simulator)
  }

  /** The requests as they were played, if each got its recorded response by itself. Else null */
  get played(): PlayedScenario | null {
    return this.#plays?.end() ?? null
  }

  /** @throws UsageError for a world that cannot be loaded */
  static async open(
    world: WorldJson,
    settings: SettingValues,
    clock: ClockSetting | undefined,
  ): Promise<TrafficReplay> {
    const simulator = openQuickSimulator({ world, settings, clock })
    return new TrafficReplay(simulator, await createQuickSender(simulator))
  }

  /** Makes changes of the world that a scenario can have. @returns those that could be made */
  async change(...changes: readonly ChangeStep[]): Promise<readonly ChangeStep[]> {
    if (changes.length > 0) this.#plays = null
    const made: ChangeStep[] = []
    for (const change of changes) {
      if (issuesOf(() => parseScenario({ title: '', steps: [change] })).length > 0) continue
      if ((await this.#play(change)).result.outcome === 'passed') made.push(change)
    }
    return made
  }

  /** The next row gets this id, unless a row has it. */
  nextId(list: WrittenList, id: number): void {
    const table = this.#simulator.state.tables[list]
    if (table.nextId === id || !isRowId(id) || this.rowOf(list, id) !== undefined) return
    this.#plays = null
    table.nextId = id
  }

  /** Sends the request of a step. @param fault the one that it meets */
  async send(step: RequestStep, fault: ChangeStep | null = null): Promise<SimulatedAnswer> {
    // An earlier fault has met its request.
    this.#simulator.faults.clear()
    if (fault) await this.change(fault)
    const played = await this.#play(step)
    const { record, result } = played
    const { response, differences } = result
    if (differences.length > 0) this.#plays = null
    this.#plays?.add(played)
    const body = once(() => tryParseJson(response?.text ?? '')?.value)
    const differing = differences.filter((difference) =>
      [null, 'results'].includes(fieldOfOneSide(difference)),
    )
    const bodies = {
      get received() {
        return body()
      },
    }
    const seen = record && new SeenRequest(record, '', bodies)
    // A refusal with other words is more alike than a success, whose fields are on one side.
    const isOther = differences.some(({ where }) => where === 'status')
    return { seen, differing: differing.length + Number(isOther) }
  }

  /** All rows of the list that a step reads a page of, in their order. */
  async wholeList({ path, ...step }: RequestStep): Promise<readonly SeenRow[]> {
    const [name = '', query = ''] = path.split('?')
    const rows: SeenRow[] = []
    for (let count = 1; rows.length < count; ) {
      const parameters = parseQuery(query)
      parameters.set('limit', '100000')
      parameters.set('offset', String(rows.length))
      const { expect: _, save: __, ...sent } = step
      const { seen } = await this.send({ ...sent, path: `${name}?${parameters}` })
      if (!seen || seen.rows.length === 0) break
      for (const row of seen.rows) rows.push(row)
      count = seen.count ?? 0
    }
    return rows
  }

  rowOf(list: WrittenList, id: number): Readonly<Record<string, unknown>> | undefined {
    return this.#simulator.world[list].get(id) as object | undefined as Record<string, unknown>
  }

  /** The rows at this moment, and the values that steps have saved, in constant time. */
  mark() {
    return { rows: this.#simulator.state.snapshot(), saved: this.#saved }
  }

  goBack({ rows, saved }: ReturnType<TrafficReplay['mark']>): void {
    this.#plays = null
    this.#simulator.state.replaceRows(rows)
    this.#saved = saved
  }

  async #play(step: Step) {
    const played = await playStep(step, this.#sender, { saved: this.#saved })
    this.#saved = played.savedNow
    return played
  }
}
