import { findRoute } from '../../api/find-route.ts'
import { answer } from '../../http/answer.ts'
import { type ApiRequest, type ApiResponse, bodyText } from '../../http/messages.ts'
import { endpointNotFound } from '../../http/unknown-path.ts'
import { queryString } from '../../http/url.ts'
import type { SettingOverrides } from '../../settings/resolve.ts'
import { State } from '../../simulator/state.ts'
import { isObject, tryParseJson } from '../../utils/json.ts'
import { Clock } from '../../world/clock/clock.ts'
import type { LoadedWorld } from '../../world/load/build-world.ts'
import { loadWorld } from '../../world/load/load-world.ts'
import { forkTables } from '../../world/tables.ts'
import type { ComparedKey } from './keys.ts'
import { type FilledRequest, fillProbe, type Place } from './place.ts'
import { isWrite, type Probe, usedRows } from './probes.ts'
import { type Hypothesis, type Played, type Script, type Stage, settingsOf } from './run.ts'
import type { Heard } from './signature.ts'
import { clock, probedPlace, probedWorld } from './world.ts'

/** The rows of a simulator, and the ids of those that probes saved. */
interface ProbedState {
  readonly loaded: LoadedWorld
  readonly rows: ReadonlyMap<string, string>
  /** What the request before it wrote, as JSON */
  readonly writes: string
}

/** Plays probes in simulators of a small world. The answer is null for a probe that could not be sent. */
export class ProbeScript implements Script<Heard | null, ProbedState> {
  readonly probes: readonly Probe[]
  readonly place: Place
  readonly #keys: readonly ComparedKey[]
  /** The sandboxes that others are copies of, by their worlds. */
  readonly #originals = new Map<string, State>()
  /** The requests of probes, by their indexes and the ids of the rows in their paths. */
  readonly #filled = new Map<string, SimulatedRequest | null>()

  constructor(probes: readonly Probe[], keys: readonly ComparedKey[]) {
    this.probes = probes
    this.#keys = keys
    this.place = probedPlace(keys)
  }

  get length(): number {
    return this.probes.length
  }

  async open(hypothesis: Hypothesis): Promise<Stage<Heard | null, ProbedState>> {
    return new ProbeStage(this.probes, (at, rows) => this.#fill(at, rows), this.#open(hypothesis))
  }

  isRead(at: number): boolean {
    const probe = this.probes[at] as Probe
    // Saving the id of a row is a change of its own.
    return !isWrite(probe) && probe.save === undefined
  }

  isSameState(one: ProbedState, other: ProbedState): boolean {
    if (one.rows.size !== other.rows.size || one.writes !== other.writes) return false
    return [...one.rows].every(([name, id]) => other.rows.get(name) === id)
  }

  #fill(at: number, rows: ReadonlyMap<string, string>): SimulatedRequest | null {
    const probe = this.probes[at] as Probe
    const name = [at, ...usedRows(probe).map((row) => rows.get(row))].join()
    const known = this.#filled.get(name)
    if (known !== undefined) return known
    const filled = fillProbe(probe, this.place, rows)
    const request = filled && { request: toApiRequest(filled), sent: filled.sent }
    this.#filled.set(name, request)
    return request
  }

  #open(hypothesis: Hypothesis): State {
    const world = Object.entries(hypothesis).filter(([id]) => id.startsWith('world.'))
    const name = world.join()
    const settings = settingsOf(hypothesis)
    let original = this.#originals.get(name)
    if (!original) {
      const loaded = loadWorld(probedWorld(this.#keys, hypothesis), settings)
      original = new State({
        ...{ loaded, settings, report: console.error },
        clock: new Clock(clock),
        journal: { entries: 0 },
      })
      this.#originals.set(name, original)
    }
    return original.fork(original.loaded, { settings: settings as SettingOverrides })
  }
}

interface SimulatedRequest {
  readonly request: ApiRequest
  readonly sent: FilledRequest['sent']
}

type Fill = (at: number, rows: ReadonlyMap<string, string>) => SimulatedRequest | null

class ProbeStage implements Stage<Heard | null, ProbedState> {
  readonly #probes: readonly Probe[]
  readonly #fill: Fill
  readonly #state: State
  #rows: ReadonlyMap<string, string> = new Map()
  #writes: unknown[] = []
  #latest: LoadedWorld | null = null

  constructor(probes: readonly Probe[], fill: Fill, state: State) {
    this.#probes = probes
    this.#fill = fill
    this.#state = state
    state.events.on('write', (...write) => this.#writes.push(write))
  }

  async play(at: number): Promise<Played<Heard | null>> {
    const probe = this.#probes[at] as Probe
    this.#writes = []
    const filled = this.#fill(at, this.#rows)
    if (filled === null) return { answer: null, used: new Set() }
    const { settingTracker } = this.#state
    settingTracker.takeReads()
    const { status, headers, body } = await this.#answer(filled.request)
    const used = new Set<string>(settingTracker.takeReads())
    const heard: Heard = {
      probe,
      status,
      headers: new Headers(headers),
      text: bodyText(body),
      sent: filled.sent,
      rows: this.#rows,
    }
    this.#rows = withSaved(this.#rows, probe, heard)
    return { answer: heard, used }
  }

  #answer(request: ApiRequest): ApiResponse | Promise<ApiResponse> {
    const { settings } = this.#state
    const route = findRoute(request, settings)
    return route
      ? answer(route, request, this.#state)
      : endpointNotFound(request.target, [], settings, request)
  }

  save(): ProbedState {
    const writes = this.#writes
    if (writes.length > 0 || !this.#latest) {
      const { tables, ...loaded } = this.#state.loaded
      this.#latest = { ...loaded, tables: forkTables(tables) }
    }
    const text = writes.length === 0 ? '' : JSON.stringify(writes)
    return { loaded: this.#latest, rows: this.#rows, writes: text }
  }

  restore({ loaded, rows }: ProbedState): void {
    this.#state.restore(loaded)
    this.#latest = loaded
    this.#rows = rows
  }
}

function toApiRequest({ method, path, headers, body }: FilledRequest): ApiRequest {
  return {
    method,
    url: `http://localhost${path}`,
    target: path,
    query: queryString(path),
    headers: new Headers(headers),
    body: body ?? null,
  }
}

/** Adds the id of the row that an answer contains, or of the first row that it lists. */
function withSaved(
  rows: ReadonlyMap<string, string>,
  { save }: Probe,
  heard: Heard | null,
): ReadonlyMap<string, string> {
  const id = save === undefined || !heard ? null : savedId(heard)
  return id === null ? rows : new Map([...rows, [save as string, id]])
}

/** The id of the row that a successful answer contains, or of the first row that it lists. Null if it has none */
export function savedId({ status, text }: Pick<Heard, 'status' | 'text'>): string | null {
  const body = status < 300 ? tryParseJson(text)?.value : undefined
  const row = isObject(body) && Array.isArray(body.results) ? body.results[0] : body
  const id = isObject(row) ? row.id : undefined
  return typeof id === 'number' || typeof id === 'string' ? `${id}` : null
}
