import { isSuccess } from '../http/messages.ts'
import type { ChangeStep } from '../scenarios/format/scenario.ts'
import { isSameJson } from '../utils/json.ts'
import type { History } from './history.ts'
import { isUsual, type Observation } from './observation.ts'
import { removalOf } from './repairs.ts'
import { parentOf, type RowsSeen } from './rows-seen.ts'
import type { Checkpoint, SimulatedAnswer, TrafficReplay } from './traffic-replay.ts'

/**
 * Gives a row the values that the service gave it, if a simulator carried out the write otherwise.
 *
 * @param before the moment before the request
 * @returns the change that was made right after the request. Null for none
 */
export async function settleWrite(
  observation: Observation,
  answer: SimulatedAnswer,
  rows: RowsSeen,
  history: History,
  replay: TrafficReplay,
  before: Checkpoint,
): Promise<ChangeStep | null> {
  const { index, status, method } = observation
  const isOther = answer.differing > 0 && method !== 'GET' && method !== 'HEAD'
  const isUsualWrite = isOther && isUsual(observation)
  // What the service refused changes nothing.
  if (isUsualWrite && status >= 400 && isSuccess(answer.status)) replay.goBack(before)
  const isDone = (isUsualWrite && isSuccess(status)) || history.left.has(index)
  const change = isDone ? ownResultOf(observation, rows, replay, history) : null
  return change && (await replay.change(change)) ? change : null
}

/**
 * The change after which a row has the values that the response to its write shows. A create without a response is judged by
 * the first response that shows its row. A value is left out if the next response shows another one: the service had answered
 * before it stored the row.
 */
function ownResultOf(
  observation: Observation,
  rows: RowsSeen,
  replay: TrafficReplay,
  { left }: Pick<History, 'left'>,
): ChangeStep | null {
  const { index, verb, params } = observation
  const { list, entity } = rows
  const row = observation.rows[0] ?? left.get(index)?.fields
  const id = Number(row?.id ?? params.id)
  const now = replay.rowOf(list, id)
  if (verb === 'delete') return now ? removalOf(list, [id]) : null
  if (!row) return null
  const written = rows.asNewRow(row, parentOf(observation))
  if (!now) return { rows: { [list]: [written] } } as ChangeStep
  const again = rows.shownAfter.get(observation)
  const { sent } = observation
  const fields = entity.stored.flatMap(({ name, body }) => {
    const isSent = sent !== null && name in sent
    // What a request without a response says can have been changed before a response showed the row.
    const isOpen = observation.rows.length > 0 || !(isSent || name === 'deleted')
    const isStored = !again || isSameJson(again[name], row[name])
    if (!body || !(name in row) || !isOpen || !isStored) return []
    const isOther = !isSameJson(now[name], written[name])
    const isReplaced = isSent && !isSameJson(sent[name], row[name])
    return isOther || isReplaced ? [{ name, isOther }] : []
  })
  const changed = Object.fromEntries(fields.map(({ name }) => [name, written[name]]))
  return fields.some(({ isOther }) => isOther)
    ? ({ update: { [list]: [{ id, ...changed }] } } as ChangeStep)
    : null
}
