import { profiles } from '../../settings/profiles.ts'
import { resolveSettings } from '../../settings/resolve.ts'
import type { SettingValues } from '../../settings/setting.ts'
import { isUsageError } from '../../utils/errors.ts'
import { isBuiltInWorld } from '../../world/load/built-in-worlds.ts'
import type { WorldJson } from '../../world/world-json.ts'
import type { ChangeStep, RequestStep } from '../format/scenario.ts'
import { changesOfRows, type Move, measureMove, movesOf } from './edits-of-others.ts'
import { listOf } from './filler-rows.ts'
import { isUsual, type Observation } from './observation.ts'
import { otherStories } from './other-stories.ts'
import { type Checkpoint, Rehearsal, type SimulatedAnswer } from './rehearsal.ts'
import { canShow, editsByRequest, firstStory, isLostWrite, rowsOf, type Story } from './story.ts'
import type { Traffic, TrafficRequest } from './traffic.ts'

/** A write whose response was lost, and of which nothing proves whether it took effect. */
export interface UndecidedWrite {
  readonly observation: Observation
  /** `not_shown`: no later response depends on it. `not_tried`: the traffic has too many such writes */
  readonly why: 'not_shown' | 'not_tried'
}

interface DerivedStory {
  readonly story: Story
  readonly undecided: readonly UndecidedWrite[]
}

/** How many requests decide the profile. */
const decidingRequests = 500

/** Finds what happened besides the requests. */
export async function deriveStory(traffic: Traffic): Promise<DerivedStory> {
  const first = firstStory(traffic.seen, traffic.skew)
  const candidates = traffic.settings
    ? [traffic.settings]
    : profiles.map((name) => resolveSettings(name))
  const finders: { readonly finder: StoryFinder; readonly count: number }[] = []
  for (const settings of candidates) {
    const finder = new StoryFinder(traffic, settings)
    const count = candidates.length > 1 ? await finder.count(first, decidingRequests) : 0
    finders.push({ finder, count })
  }
  const [best, ...others] = finders
    .sort((a, b) => a.count - b.count)
    .map(({ finder }) => finder) as [StoryFinder, ...StoryFinder[]]
  const derived = await best.find(first)
  if (!traffic.doubtsSettings) return derived
  const possible: (readonly [number, readonly ChangeStep[]])[] = []
  for (const finder of others) possible.push(...(await finder.explainingEdits(first)))
  const { story, undecided } = derived
  return { story: { ...story, edits: new Map([...possible, ...story.edits]) }, undecided }
}

/** How many requests are sent at most to try what may have happened. */
const maxSent = 30_000

/** How many rows may have moved a page. */
const maxMoved = 100

/** The requests under one story: the moment before each of those that were sent, and in how many places its answer differs. */
interface Take {
  readonly rehearsal: Rehearsal
  readonly story: Story
  readonly edits: ReturnType<typeof editsByRequest>
  readonly moments: Checkpoint[]
  readonly differing: number[]
}

/**
 * Finds what happened besides the requests, by trial: sends them to a simulator, and where an answer differs, tries what
 * may be the cause. A cause counts if it explains the answer, and no more of the earlier ones differ.
 */
class StoryFinder {
  readonly #traffic: Traffic
  readonly #settings: SettingValues
  /** The positions of requests by the indexes of their exchanges */
  readonly #positions: ReadonlyMap<number, number>
  /** The requests that no cause explains */
  readonly #unexplained = new Set<Observation>()
  #sent = 0

  constructor(traffic: Traffic, settings: SettingValues) {
    this.#traffic = traffic
    this.#settings = settings
    this.#positions = new Map(
      traffic.requests.map(({ observation }, position) => [observation.index, position]),
    )
  }

  async find(first: Story): Promise<DerivedStory> {
    const { requests } = this.#traffic
    let take = await this.#open(first)
    if (!take) return { story: first, undecided: [] }
    for (const [at, { observation }] of requests.entries()) {
      const answer = await this.#play(take, at)
      if (!answer || answer.differing === 0 || !isUsual(observation)) continue
      const explained = await this.#tryStories(take, at, answer)
      if (explained) {
        take = explained
        continue
      }
      take = await this.#tryEdits(take, at, answer)
      if (differingAt(take, at) > 0) this.#unexplained.add(observation)
    }
    return { story: take.story, undecided: await this.#findUndecided(take) }
  }

  /** What others may have changed before requests that nothing else explains. */
  async explainingEdits(first: Story): Promise<(readonly [number, readonly ChangeStep[]])[]> {
    const { story } = await this.find(first)
    const unexplained = new Set([...this.#unexplained].map(({ index }) => index))
    return [...story.edits].filter(([index]) => !unexplained.has(index))
  }

  /** How many of the first requests get another response. */
  async count(story: Story, length: number): Promise<number> {
    const take = await this.#open(story)
    if (!take) return Number.POSITIVE_INFINITY
    const last = Math.min(length, this.#traffic.requests.length) - 1
    await this.#playTo(take, 0, last)
    return countDiffering(take, 0, last)
  }

  /** The writes of which nothing proves whether they took effect. */
  async #findUndecided(take: Take): Promise<UndecidedWrite[]> {
    const { requests } = this.#traffic
    const undecided: UndecidedWrite[] = []
    for (const [at, { observation }] of requests.entries()) {
      if (!isLostWrite(observation) || take.story.tookEffect.has(observation.index)) continue
      const last = requests.findLastIndex((later) => canShow(later.observation, observation))
      const tookEffect = new Set([...take.story.tookEffect, observation.index])
      const other =
        last > at && this.#sent <= maxSent
          ? await this.#retake(take, { ...take.story, tookEffect }, at, last)
          : null
      const isSame =
        other !== null && countDiffering(other, last, last) <= countDiffering(take, last, last)
      if (last <= at || isSame) undecided.push({ observation, why: 'not_shown' })
      else if (this.#sent > maxSent) undecided.push({ observation, why: 'not_tried' })
    }
    return undecided
  }

  /** @returns null if the world of the story cannot be loaded, or is not known */
  async #open(story: Story): Promise<Take | null> {
    const world = this.#traffic.worldOf(story)
    if (!world || (typeof world === 'string' && !isBuiltInWorld(world))) return null
    const edits = editsByRequest(story, this.#traffic.seen)
    try {
      const { clock } = this.#traffic
      const rehearsal = await Rehearsal.open(world as WorldJson, this.#settings, clock)
      return { rehearsal, story, edits, moments: [], differing: [] }
    } catch (error) {
      if (isUsageError(error)) return null
      throw error
    }
  }

  /** Makes the changes of others before a request, and sends it. */
  async #play(take: Take, at: number): Promise<SimulatedAnswer | null> {
    const { observation, step } = this.#traffic.requests[at] as TrafficRequest
    const { rehearsal, edits } = take
    take.moments[at] = rehearsal.mark()
    for (const change of edits.get(observation.index) ?? []) await rehearsal.change(change)
    const answer = step && (await this.#send(take, observation, step))
    take.differing[at] = answer?.differing ?? 0
    return answer
  }

  async #send(
    { rehearsal, story }: Take,
    observation: Observation,
    step: RequestStep,
  ): Promise<SimulatedAnswer> {
    this.#sent += 1
    return rehearsal.send(step, this.#traffic.faultOf(observation, story))
  }

  /** @param most ends when more answers differ @returns whether no more did */
  async #playTo(take: Take, from: number, to: number, most = Infinity): Promise<boolean> {
    let count = 0
    for (let at = from; at <= to; at += 1) {
      await this.#play(take, at)
      count += Number(differingAt(take, at) > 0)
      if (count > most) return false
    }
    return true
  }

  /**
   * Plays a range of requests again under another story.
   *
   * @param from the first request that the story changes. Null for a story of another world
   * @returns null if more answers before the last one differ than before
   */
  async #retake(take: Take, story: Story, from: number | null, to: number): Promise<Take | null> {
    const start = from ?? 0
    const most = countDiffering(take, start, to - 1)
    const changed =
      from === null
        ? await this.#open(story)
        : {
            ...{ rehearsal: take.rehearsal, story },
            edits: editsByRequest(story, this.#traffic.seen),
            moments: take.moments.slice(0, from),
            differing: take.differing.slice(0, from),
          }
    if (!changed) return null
    if (from !== null) changed.rehearsal.goBack(take.moments[from] as Checkpoint)
    if (!(await this.#playTo(changed, start, to - 1, most))) return null
    await this.#play(changed, to)
    return changed
  }

  /** Tries what may have happened before a request whose answer differs. Null if nothing explains it */
  async #tryStories(take: Take, at: number, answer: SimulatedAnswer): Promise<Take | null> {
    const positions = this.#positions
    for (const { story, since } of otherStories(this.#traffic, at, answer, take.story, positions)) {
      if (this.#sent > maxSent) return null
      const retake = await this.#retake(take, story, since, at)
      if (retake && differingAt(retake, at) === 0) return retake
    }
    return null
  }

  /** Tries what others may have changed right before a request: rows, and what moves a page. */
  async #tryEdits(take: Take, at: number, answer: SimulatedAnswer): Promise<Take> {
    const { observation } = this.#traffic.requests[at] as TrafficRequest
    let best = await this.#edit(take, at, answer)
    if (differingAt(best, at) === 0 || !this.#canHaveMoved(best, at)) return best
    for (const shift of await this.#possibleShifts(best, at)) {
      if (this.#sent > maxSent) break
      const shifts = new Map(best.story.shifts).set(observation.index, shift)
      const moved =
        shift === 0 ? best : await this.#retake(best, { ...best.story, shifts }, null, at)
      const edited = moved && (await this.#move(moved, at))
      if (edited && differingAt(edited, at) < differingAt(best, at)) best = edited
      if (differingAt(best, at) === 0) return best
    }
    await this.#replay(best, at)
    return best
  }

  /** Whether a page is another one than the simulated page, and the page that was read before it is not. */
  #canHaveMoved(take: Take, at: number): boolean {
    const { requests, seen } = this.#traffic
    const { observation } = requests[at] as TrafficRequest
    const rows = rowsOf(observation, seen)
    if (!rows || observation.page?.count == null) return false
    const name = listOf(observation, rows)
    const before = requests.slice(0, at).findLastIndex(({ observation: earlier }) => {
      return earlier.list === rows.list && earlier.page !== null && listOf(earlier, rows) === name
    })
    return before >= 0 && differingAt(take, before) === 0
  }

  /** By how many rows a page may have moved. The row that nobody saw may as well have moved out of the page. */
  async #possibleShifts(take: Take, at: number): Promise<readonly number[]> {
    const move = await this.#measure(take, at)
    const { page } = (this.#traffic.requests[at] as TrafficRequest).observation
    if (!move || !page || !this.#traffic.hasOwnWorld) return move ? [0] : []
    const { inFront, behind } = move
    if (inFront !== 0) return [-inFront, 0]
    return behind < 0 && page.offset > 0 ? [-behind, 0] : [0]
  }

  async #measure(take: Take, at: number): Promise<Move | null> {
    const { observation, step } = this.#traffic.requests[at] as TrafficRequest
    await this.#replay(take, at)
    const move = step && measureMove(await take.rehearsal.wholeList(step), observation)
    const isShort = move && Math.abs(move.inFront) + Math.abs(move.behind) <= maxMoved
    return isShort ? move : null
  }

  /** Plays a request again, from the moment before it. */
  async #replay(take: Take, at: number): Promise<SimulatedAnswer | null> {
    take.rehearsal.goBack(take.moments[at] as Checkpoint)
    return this.#play(take, at)
  }

  /** Adds the changes of rows that a response shows, if it differs in less with them. */
  async #edit(take: Take, at: number, answer: SimulatedAnswer): Promise<Take> {
    const { seen, requests } = this.#traffic
    const { observation } = requests[at] as TrafficRequest
    take.rehearsal.goBack(take.moments[at] as Checkpoint)
    const changes = changesOfRows(observation, answer, seen, take.rehearsal)
    return (await this.#withEdits(take, at, changes)) ?? take
  }

  /** Adds and removes rows so that a page has moved as far as the recorded one. Null if that explains nothing */
  async #move(take: Take, at: number): Promise<Take | null> {
    const { seen, requests } = this.#traffic
    const { observation, step } = requests[at] as TrafficRequest
    const answer = await this.#replay(take, at)
    const edited = answer && step ? await this.#edit(take, at, answer) : null
    if (!edited || !step) return null
    await this.#replay(edited, at)
    const whole = await edited.rehearsal.wholeList(step)
    const later = requests.slice(at + 1).map((request) => request.observation)
    const moves = movesOf(whole, observation, later, seen, edited.rehearsal)
    return moves && this.#withEdits(edited, at, moves)
  }

  /** Plays a request after further changes. Null if it differs in as much as without them */
  async #withEdits(take: Take, at: number, changes: readonly ChangeStep[]): Promise<Take | null> {
    const { observation } = this.#traffic.requests[at] as TrafficRequest
    const known = take.story.edits.get(observation.index) ?? []
    const edits = new Map(take.story.edits).set(observation.index, [...known, ...changes])
    const story = { ...take.story, edits }
    const edited: Take = {
      ...{ rehearsal: take.rehearsal, story, edits: editsByRequest(story, this.#traffic.seen) },
      moments: [...take.moments],
      differing: [...take.differing],
    }
    if (changes.length > 0) await this.#replay(edited, at)
    if (changes.length > 0 && differingAt(edited, at) < differingAt(take, at)) return edited
    await this.#replay(take, at)
    return null
  }
}

function differingAt({ differing }: Take, at: number): number {
  return differing[at] ?? 0
}

/** How many answers of a range differ. */
function countDiffering({ differing }: Take, from: number, to: number): number {
  return differing.slice(from, to + 1).filter((places) => places > 0).length
}
