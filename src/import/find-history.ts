import { isSuccess } from '../http/messages.ts'
import type { SeenRequest } from '../mistakes/seen-request.ts'
import type { ChangeStep } from '../scenarios/format/scenario.ts'
import type { SettingValues } from '../settings/setting.ts'
import { isSameJson } from '../utils/json.ts'
import { turnAfter } from '../utils/wait.ts'
import type { ClockSetting } from '../world/clock/clock.ts'
import type { WorldJson } from '../world/world-json.ts'
import { isSideRead, isUnanswered, isUsual } from './archived-request.ts'
import type { ReadTraffic } from './read-traffic.ts'
import { explainRows, removalOf, repairOf } from './repairs.ts'
import { guessHistory, type History, type RowsSeen, rowsOf } from './rows-seen.ts'
import { sideOf } from './timing.ts'
import { type SimulatedAnswer, TrafficReplay } from './traffic-replay.ts'

/** Requests, and what may be assumed to explain their responses. */
interface Traffic extends Pick<ReadTraffic, 'requests' | 'seen' | 'skew' | 'steps'> {
  worldOf(history: History): WorldJson
  faultOf(request: SeenRequest, history: History): ChangeStep | null
  readonly clock: ClockSetting | undefined
  readonly settings: SettingValues
}

export function findHistory(traffic: Traffic) {
  return new Pass(traffic).find()
}

/** Whether a lost write took effect is looked for in so many later responses. */
const maxTelling = 12

/** Sends the requests to a simulator. Where an answer differs, others changed its rows right before it. */
class Pass {
  readonly #traffic: Traffic
  /** The ids of requests whose answers nothing explains */
  readonly #unexplained = new Set<number>()
  #history: History

  constructor(traffic: Traffic) {
    this.#traffic = traffic
    this.#history = guessHistory(traffic.seen, traffic.skew)
  }

  async find() {
    const { clock, settings, worldOf } = this.#traffic
    const replay = await TrafficReplay.open(worldOf(this.#history), settings, clock)
    for (const [at, request] of this.#traffic.requests.entries()) {
      const { id } = request.record
      const { edits } = this.#history
      // A row can be there already, because an earlier list counted it.
      edits.set(id, await replay.change(...(edits.get(id) ?? [])))
      const isOpen = isLostWrite(request) && !this.#history.tookEffect.has(id)
      const isDone = isOpen ? await this.#isTakingEffect(replay, at) : false
      if (isDone === null) this.#history.undecided.add(request)
      if (isDone) this.#history.tookEffect.add(id)
      if ((await this.#differing(replay, request)) > 0) this.#unexplained.add(id)
    }
    const edits = [...this.#history.edits.values()].flat()
    return {
      history: this.#history,
      /** How much others did, and how much nothing explains */
      cost: edits.length + this.#unexplained.size,
      /** The requests as they were played, if each got its recorded response by itself */
      played: replay.played,
    } as const
  }

  /** In how many places an answer differs, if others did what they can have done. */
  async #differing(replay: TrafficReplay, request: SeenRequest) {
    const { id } = request.record
    const rows = request.isWrite ? replay.mark() : null
    const answer = await this.#send(replay, request)
    if (!answer || answer.differing === 0 || !isUsual(request)) return 0
    // A read changes nothing.
    const before = rows ?? replay.mark()
    const explained = await this.#explain(replay, request, answer)
    if (!explained) return answer.differing
    replay.goBack(before)
    await replay.change(...explained.late)
    const made = await replay.change(...explained.edits)
    const again = await this.#send(replay, request)
    if (again && again.differing < answer.differing) {
      const { edits } = this.#history
      this.#history = { ...this.#history, start: explained.start }
      edits.set(id, [...(edits.get(id) ?? []), ...made])
      return again.differing
    }
    replay.goBack(before)
    await this.#send(replay, request)
    return answer.differing
  }

  /** What others did right before a request, and what was so from the start. Null if nothing explains it */
  async #explain(replay: TrafficReplay, request: SeenRequest, answer: SimulatedAnswer) {
    const { seen, steps } = this.#traffic
    const step = steps[request.record.id]
    const { start } = this.#history
    // What a read shows that overlaps a write can have been so before or after it.
    if (isSideRead(request) || this.#isDuringWrite(request)) return null
    if (request.status === 401 && answer.seen?.status !== 401 && request.client !== '')
      return this.#isUsedLater(request)
        ? null
        : { start, late: [], edits: [{ revoke: request.client }] }
    const rows = rowsOf(request, seen)
    if (!rows || !step) return null
    const isPage = request.verb === 'list' && request.status === 200
    const whole = isPage ? await replay.wholeList(step) : null
    const repair = repairOf(request, answer.seen, rows, whole, replay)
    const facts = { request, rows, replay, unexplained: this.#unexplained }
    return repair && explainRows(repair, this.#history, facts)
  }

  /** Plays on with and without a lost write, also beside the other ones. Null if no answer tells whether it took effect */
  async #isTakingEffect(replay: TrafficReplay, at: number): Promise<boolean | null> {
    const [write, ...after] = this.#traffic.requests.slice(at) as [SeenRequest, ...SeenRequest[]]
    const { tookEffect } = this.#history
    const later = after.filter(({ list }) => list === write.list)
    const telling = later
      .filter((other) => isUsual(other) && canShow(other, write))
      .slice(0, maxTelling)
    const end = telling.at(-1)
    if (end === undefined) return null
    const played = later.slice(0, later.indexOf(end) + 1)
    const lost = played.filter((other) => isLostWrite(other) && !tookEffect.has(other.record.id))
    const moment = replay.mark()
    const rows = rowsOf(write, this.#traffic.seen) as RowsSeen
    const differing = async (done: readonly SeenRequest[]) => {
      for (const { record } of done) tookEffect.add(record.id)
      const counts = new Map<SeenRequest, number>()
      for (const request of [write, ...played]) {
        const answer = await this.#send(replay, request)
        // What shows the row itself tells more than what others did beside it.
        const ofRow = differingFields(write, request, rows, replay) * 1e6
        counts.set(request, ofRow + (answer?.differing ?? 0))
      }
      for (const { record } of done) tookEffect.delete(record.id)
      replay.goBack(moment)
      return telling.flatMap((request) => counts.get(request) ?? [])
    }
    let isDone: boolean | null = null
    for (const others of lost.length > 0 ? [[], lost] : [[]]) {
      const [not, did] = [await differing(others), await differing([...others, write])]
      const first = did.findIndex((count, index) => count !== not[index])
      if (first >= 0) isDone ||= (did[first] as number) < (not[first] as number)
    }
    return isDone
  }

  #isUsedLater(request: SeenRequest) {
    const { requests } = this.#traffic
    const later = requests.slice(requests.indexOf(request))
    return later.some(({ client, status }) => client === request.client && isSuccess(status))
  }

  /** Whether a request and a write overlap, by more than a rounded millisecond, and nothing tells their order. */
  #isDuringWrite(request: SeenRequest) {
    const { record, until } = request
    return this.#traffic.requests.some(
      (write) =>
        write !== request &&
        write.record.at + 1 < until &&
        record.at + 1 < write.until &&
        sideOf(request, write) === null,
    )
  }

  async #send(replay: TrafficReplay, request: SeenRequest): Promise<SimulatedAnswer | null> {
    const { seen, steps, faultOf } = this.#traffic
    const { left, results } = this.#history
    const { verb, rows: shown } = request
    const { id } = request.record
    const step = steps[id]
    const created = verb === 'create' ? (shown[0] ?? left.get(id)) : undefined
    const rows = rowsOf(request, seen)
    if (rows && created) replay.nextId(rows.list, Number(created.id))
    const before = rows && request.isWrite ? replay.mark() : null
    if (!step) return null
    await turnAfter(id)
    const answer = await replay.send(step, faultOf(request, this.#history))
    results.delete(id)
    if (!rows || !before) return answer
    const isOther = answer.differing > 0 && isUsual(request)
    // What the service refused changes nothing.
    if (isOther && request.status >= 400 && Number(answer.seen?.status) < 300) replay.goBack(before)
    const isDone = (isOther && request.status < 300) || left.has(id)
    const change = isDone ? ownResultOf(request, rows, replay, this.#history) : null
    if (change && (await replay.change(change)).length > 0) results.set(id, change)
    return answer
  }
}

/** The change after which a row has the values that the response to its write shows */
function ownResultOf(
  request: SeenRequest,
  rows: RowsSeen,
  replay: TrafficReplay,
  { left }: Pick<History, 'left'>,
): ChangeStep | null {
  const { verb, row: named, sent } = request
  const { list, entity } = rows
  const shown = left.get(request.record.id)
  const row = request.rows[0] ?? shown?.fields
  const id = Number(row?.id ?? named?.id)
  const now = replay.rowOf(list, id)
  if (verb === 'delete') return now ? removalOf(list, [id]) : null
  if (!row) return null
  const written = rows.asNewRow(row, request.parent)
  // What a client found without having created it was there before.
  if (!now) return verb === 'create' ? ({ rows: { [list]: [written] } } as ChangeStep) : null
  const fields = entity.stored.flatMap(({ name, body }) => {
    const isSent = name in sent
    // What a request without a response says can have been changed before a response showed the row.
    const isSet = isSent || name === 'deleted' || shown?.unknown.has(name) === true
    const isOpen = request.rows.length > 0 || !isSet
    if (!body || !(name in row) || !isOpen) return []
    const isOther = !isSameJson(now[name], written[name])
    const isReplaced = isSent && !isSameJson(sent[name], row[name])
    return isOther || isReplaced ? [{ name, isOther }] : []
  })
  const changed = Object.fromEntries(fields.map(({ name }) => [name, written[name]]))
  return fields.some(({ isOther }) => isOther)
    ? ({ update: { [list]: [{ id, ...changed }] } } as ChangeStep)
    : null
}

/** Whether a request writes a row, and its response does not say whether it took effect. */
function isLostWrite(request: SeenRequest) {
  const { record, list, faultEffect, isWrite } = request
  // The status of a cut response arrived.
  if (faultEffect.cut_bytes !== undefined || record.operation === 'deleteAnnotation') return false
  return isWrite && (list === 'annotations' || list === 'plugins') && isUnanswered(request)
}

/** In how many fields of an update a response shows its row otherwise than a simulator has it. */
function differingFields(
  { row: named, sent, parent }: SeenRequest,
  { rows: shown, count, terms, parent: place }: SeenRequest,
  rows: RowsSeen,
  replay: TrafficReplay,
) {
  const now = named && replay.rowOf(rows.list, named.id)
  const row = shown.find(({ id }) => id === named?.id)
  // A whole list lacks deleted rows.
  const isGone = !row && count === shown.length && terms.length === 0 && place === parent
  if (!now || !(row || isGone)) return 0
  const written = row ? rows.asNewRow(row, place) : { deleted: true }
  return Object.keys(sent).filter(
    (name) => name in written && !isSameJson(now[name], written[name]),
  ).length
}

function canShow({ list, row }: SeenRequest, write: SeenRequest) {
  return list === write.list && (!row || row.id === write.row?.id || write.verb === 'create')
}
