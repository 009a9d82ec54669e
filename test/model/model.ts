import type { ApiRequest, ApiResponse } from './request.ts'
import type { Key, Rows } from './rows.ts'
import { selectingKey } from './rules/access.ts'
import { answer } from './rules/answer.ts'
import type { Profile } from './rules/call.ts'
import { formatTime } from './rules/dates.ts'
import type { ComparedState } from './show.ts'
import { noon, startRows } from './world.ts'

/** One isolated world: the simulator itself, or a sandbox. */
interface World {
  rows: Rows
  /** What a reset restores. */
  start: Rows
  readonly startedAt: number
  /** Milliseconds. The clock is always frozen. */
  now: number
}

/** The parts of a world that a reset restores. */
export type ResetPart = 'rows' | 'settings' | 'clock' | 'faults'

/** The name of the world that is no sandbox. */
export const main = 'main'

/** What the simulator should do, in memory and in the simplest way: rows in lists, and no index, cache or parser. */
export class Model {
  readonly #live: boolean
  #worlds: Record<string, World>
  /** How many requests and admin calls there were. */
  steps = 0
  /** The latest key that was revoked or whose sandbox ended, to try it again. */
  goneKey = 'phx_gone'

  constructor(profile: Profile) {
    this.#live = profile === 'live'
    this.#worlds = { [main]: newWorld(startRows(), Date.parse(noon)) }
  }

  get worlds(): readonly string[] {
    return Object.keys(this.#worlds)
  }

  rows(world: string): Rows {
    return this.#world(world).rows
  }

  /** The rows, the time of the clock, and the sandboxes beside them. */
  state(name: string): ComparedState {
    const { rows, now } = this.#world(name)
    return { ...rows, now: formatTime(now), sandboxes: this.worlds.slice(1) }
  }

  /** The values of the keys that a sandbox starts with. */
  get startKeys(): readonly Key[] {
    return this.#world(main).start.keys
  }

  /** Answers a request, and remembers what it changed. */
  send(request: ApiRequest): ApiResponse {
    const world = this.#world(
      request.sandbox ?? this.#sandboxOf(selectingKey(request, this.#live)) ?? main,
    )
    return answer(world.rows, request, world.now, this.#live)
  }

  #sandboxOf(value: string | null): string | undefined {
    return this.worlds.find(
      (name) => name !== main && this.rows(name).keys.some((key) => key.value === value),
    )
  }

  #world(name: string): World {
    return this.#worlds[name] as World
  }

  setClock(world: string, time: string): void {
    this.#world(world).now = Date.parse(time)
  }

  advanceClock(world: string, milliseconds: number): void {
    this.#world(world).now += milliseconds
  }

  /** Without a list it resets everything. Sandboxes stay. */
  reset(name: string, only: readonly ResetPart[] | null): void {
    const world = this.#world(name)
    const parts = only ?? ['rows', 'settings', 'clock', 'faults']
    if (parts.includes('rows')) world.rows = structuredClone(world.start)
    if (parts.includes('clock')) world.now = world.startedAt
  }

  issueKey(world: string, key: Key): void {
    this.rows(world).keys.push(key)
  }

  revokeKey(world: string, value: string): void {
    const rows = this.rows(world)
    this.goneKey = value
    rows.keys = rows.keys.filter((key) => key.value !== value)
  }

  /** A sandbox starts with the first rows of the main world, and with its first clock. */
  createSandbox(id: string, chosen: readonly Pick<Key, 'value'>[]): void {
    const { start, startedAt } = this.#world(main)
    const rows = structuredClone(start)
    rows.keys = rows.keys.map((key, index) => {
      const { value } = chosen[index] as Key
      // A key without a label has its value as its label.
      return { ...key, value, label: key.label === key.value ? value : key.label }
    })
    this.#worlds[id] = newWorld(rows, startedAt)
  }

  deleteSandbox(id: string): void {
    this.goneKey = this.rows(id).keys[0]?.value ?? this.goneKey
    delete this.#worlds[id]
  }

  /** Only the rows of the main world survive. */
  restart(): void {
    const { rows, start } = this.#world(main)
    this.#worlds = { [main]: { ...newWorld(start, Date.parse(noon)), rows } }
  }
}

function newWorld(rows: Rows, now: number): World {
  return { rows: structuredClone(rows), start: rows, startedAt: now, now }
}
